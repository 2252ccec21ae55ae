# Completes `python build.py ...` and `./build.py ...` of Puzzlepress in fish.
# Written by: python build.py completion fish

set -ga __puzzlepress_projects PROJECT  # TAB runs no other build.py than that of these folders

function __puzzlepress_run --description 'The words up to build.py, where the line is one of Puzzlepress'
    set -l words (commandline -opc | string replace -r '^~/' "$HOME/")
    set -l place 2
    string match -qr '(^|/)build\.py$' -- $words[1]; and set place 1
    test (count $words) -ge $place; or return 1
    string match -qr '(^|/)build\.py$' -- $words[$place]; or return 1
    set -l file (builtin realpath -- $words[$place] 2>/dev/null); or return 1
    contains -- $file $__puzzlepress_projects/build.py; or return 1
    printf '%s\n' $words[1..$place]
end

function __puzzlepress_answers
    set -l run (__puzzlepress_run)
    set -l words (commandline -opc)
    set -e words[1..(count $run)]
    for line in ($run completion fish -- $words (commandline -ct) 2>/dev/null)
        set -l parts (string split \t -- $line)
        switch $parts[1]
            case plain
                printf '%s\t%s\n' $parts[2] "$parts[3]"
            case dir
                __fish_complete_directories (commandline -ct) ''
            case file
                __fish_complete_path (commandline -ct)
        end
    end
end

for name in build.py python python3 python3.11 python3.12 python3.13 python3.14 python3.15
    complete -c $name -k -f -n '__puzzlepress_run >/dev/null' -a '(__puzzlepress_answers)'
end
