"""The measured blog for Pelican, with its content cache on."""

AUTHOR = "A"
SITENAME = "Bench"
SITEURL = "https://example.org"
TIMEZONE = "UTC"
DEFAULT_LANG = "en"

PATH = "content"
ARTICLE_PATHS = ["posts"]
STATIC_PATHS = ["images", "extra"]
EXTRA_PATH_METADATA = {"extra/style.css": {"path": "style.css"}}
THEME = "theme"
THEME_STATIC_PATHS: list[str] = []

ARTICLE_URL = "posts/{slug}/"
ARTICLE_SAVE_AS = "posts/{slug}/index.html"
TAG_URL = "tags/{slug}/"
TAG_SAVE_AS = "tags/{slug}/index.html"
TAGS_SAVE_AS = "tags/index.html"
ARCHIVES_SAVE_AS = "archive/index.html"
AUTHOR_SAVE_AS = AUTHORS_SAVE_AS = CATEGORY_SAVE_AS = CATEGORIES_SAVE_AS = ""
DIRECT_TEMPLATES = ["index", "tags", "archives"]
DEFAULT_PAGINATION = False
PAGINATED_TEMPLATES = {"index": 20}
SUMMARY_MAX_LENGTH = 50

FEED_ALL_ATOM = "feed.xml"
FEED_MAX_ITEMS = 20
CATEGORY_FEED_ATOM = TRANSLATION_FEED_ATOM = AUTHOR_FEED_ATOM = AUTHOR_FEED_RSS = None
PLUGINS = ["pelican.plugins.sitemap"]
SITEMAP = {"format": "xml"}

MARKDOWN = {
    "extension_configs": {
        "markdown.extensions.codehilite": {"css_class": "highlight"},
        "markdown.extensions.extra": {},
        "markdown.extensions.toc": {},
        "markdown.extensions.meta": {},
        "pymdownx.arithmatex": {"generic": True},
    },
    "output_format": "html5",
}

CACHE_CONTENT = LOAD_CONTENT_CACHE = True
CONTENT_CACHING_LAYER = "generator"
CHECK_MODIFIED_METHOD = "mtime"
