# Completes `python build.py ...` and `./build.py ...` of Puzzlepress in bash 4.4 or newer.
# Written by: python build.py completion bash

declare -gA _puzzlepress_former
declare -ga _puzzlepress_projects
_puzzlepress_projects+=(PROJECT)  # TAB runs no other build.py than that of these folders

_puzzlepress() {
    local place=0 file folder=. word kind value help i
    local -a run words=()
    [[ ${COMP_WORDS[0]##*/} == build.py ]] || place=1
    file=${COMP_WORDS[place]/#\~\//$HOME/}
    [[ $file == */* ]] && folder=${file%/*}
    if ((COMP_CWORD <= place)) || [[ ${file##*/} != build.py ]] || ! _puzzlepress_is_known "$folder/build.py"; then
        _puzzlepress_otherwise "$@"
        return
    fi
    for ((i = place + 1; i <= COMP_CWORD; i++)); do  # bash makes three words of --output=here
        word=${COMP_WORDS[i]}
        if ((${#words[@]})) && [[ $word == = || ${COMP_WORDS[i - 1]} == = ]]; then
            words[-1]+=$word
        else
            words+=("$word")
        fi
    done
    run=("${COMP_WORDS[@]:0:place+1}")
    COMPREPLY=()
    while IFS=$'\t' read -r kind value help; do
        case $kind in
            plain) COMPREPLY+=("$value") ;;
            dir) compopt -o dirnames 2>/dev/null ;;
            file) compopt -o default 2>/dev/null ;;
        esac
    done < <("${run[@]/#\~\//$HOME/}" completion bash -- "${words[@]}" 2>/dev/null)
}

_puzzlepress_is_known() {
    local project
    for project in "${_puzzlepress_projects[@]}"; do
        [[ $1 -ef $project/build.py ]] && return
    done
    return 1
}

# Any other script of Python: what completed it before, loaded now where bash-completion has it.
_puzzlepress_otherwise() {
    local name=${COMP_WORDS[0]##*/} loader
    if [[ ! -v _puzzlepress_former[$name] ]]; then
        _puzzlepress_former[$name]=
        for loader in _comp_complete_load _completion_loader; do
            if declare -F "$loader" >/dev/null; then
                "$loader" "$name"
                _puzzlepress_register "$name"
                break
            fi
        done
    fi
    if [[ -n ${_puzzlepress_former[$name]} ]]; then
        "${_puzzlepress_former[$name]}" "$@"
    else
        compopt -o bashdefault -o default 2>/dev/null
    fi
}

_puzzlepress_register() {
    local told
    told=$(complete -p "$1" 2>/dev/null)
    [[ $told =~ \ -F\ ([^ ]+) && ${BASH_REMATCH[1]} != _puzzlepress ]] && _puzzlepress_former[$1]=${BASH_REMATCH[1]}
    complete -F _puzzlepress "$1"
}

for _puzzlepress_name in build.py python python3 python3.{11..15}; do
    _puzzlepress_register "$_puzzlepress_name"
done
unset _puzzlepress_name
