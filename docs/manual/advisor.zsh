#compdef advisor

_advisor_completion() {
  eval $(env _TYPER_COMPLETE_ARGS="${words[1,$CURRENT]}" _ADVISOR_COMPLETE=complete_zsh advisor)
}

compdef _advisor_completion advisor
