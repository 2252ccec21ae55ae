# Completes `python build.py ...` and `./build.py ...` of Puzzlepress in zsh.
# Written by: python build.py completion zsh

(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
typeset -gA _puzzlepress_former
typeset -ga _puzzlepress_projects
_puzzlepress_projects+=(PROJECT)  # TAB runs no other build.py than that of these folders

_puzzlepress() {
    local place=2 file kind value help
    local -a run found
    [[ ${words[1]:t} == build.py ]] && place=1
    run=("${(@Q)words[1,place]}")
    run=("${(@)run/#\~\//$HOME/}")
    file=$run[place]
    if (( CURRENT <= place )) || [[ ${file:t} != build.py ]] || ! _puzzlepress_is_known $file; then
        ${_puzzlepress_former[${words[1]:t}]:-_files}
        return
    fi
    while IFS=$'\t' read -r kind value help; do
        case $kind in
            plain) found+=("${value//:/\\:}${help:+:$help}") ;;
            dir) compset -P '--*='; _path_files -/ ;;
            file) compset -P '--*='; _files ;;
        esac
    done < <("${(@)run}" completion zsh -- "${(@Q)words[place+1,CURRENT]}" 2>/dev/null)
    (( $#found )) && _describe -V 'build.py' found
}

_puzzlepress_is_known() {
    local project
    for project in $_puzzlepress_projects; do
        [[ $1 -ef $project/build.py ]] && return
    done
    return 1
}

() {
    local name
    for name in build.py python python3 python3.{11..15}; do
        [[ ${_comps[$name]:-_puzzlepress} != _puzzlepress ]] && _puzzlepress_former[$name]=$_comps[$name]
        compdef _puzzlepress $name
    done
}
