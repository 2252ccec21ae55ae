"""Recordings in posts play under the Content-Security-Policy of their pages."""


def test_a_recording_of_the_site_plays(read, sample):
    page = read(sample.address + "posts/steps/").page
    audio = page.locator("audio")

    audio.evaluate("each => each.play()")  # which fails where the policy does not let the file be loaded

    assert audio.evaluate("each => [each.duration, each.error]") == [1, None]
