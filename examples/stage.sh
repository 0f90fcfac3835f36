# What ./demo and tools/recassette share; to be sourced. `examples` names this folder, `scratch` one to write in.

# stage NAME DIR: an example as a git repository that is the same every time.
stage() {
  cp -r "$examples/$1" "$2"
  git init -q -b main "$2"
  git -C "$2" add -A
  GIT_AUTHOR_DATE=2026-11-02T09:00:00Z GIT_COMMITTER_DATE=2026-11-02T09:00:00Z \
    git -C "$2" -c user.name=operator -c user.email=operator@example commit -q -m "The $1"
}

# serve COMMAND…: starts a server that prints its port as its first line and ends with its standard
# input. Sets `port`, and `served`, which end() takes.
serve() {
  local pipes
  pipes=$(mktemp -d "$scratch/serve-XXXXXX")
  mkfifo "$pipes/in" "$pipes/out"
  "$@" <"$pipes/in" >"$pipes/out" &
  served=$!
  exec {input}>"$pipes/in"
  read -r port <"$pipes/out"
  served+=" $input"
}
end() {
  local pid=$1 input=$2
  exec {input}>&-
  wait "$pid" || true
}

# start_registry: the example registry on a port of loopback, which npm's settings then name.
start_registry() {
  serve node "$examples/registry/serve.mjs"
  registry=$served
  export npm_config_registry=http://127.0.0.1:$port
}
# shellcheck disable=SC2086 # two words
stop_registry() { end $registry; }

# allow_model PORT: the operator's policy lets a model server on that port of loopback be asked.
# On replay nobody is: the port only says in which way a question is put.
allow_model() {
  sed -i "s/^  max_tier: recipe\$/  max_tier: llm\n  name: scripted\n  port: $1\n  prices:\n    scripted: \
{input: \"0.00\", output: \"0.00\", cache_write: \"0.00\", cache_read: \"0.00\"}/" "$CODEGENIE_HOME/policy/policy.yaml"
}
