#!/bin/sh
# A machine in which the host of the model is a server of ours: run in a network and a mount
# namespace of its own. DIR holds what world.mjs needs, and `hosts` and `authorities.pem`.
#
#   unshare --net --mount sh world.sh DIR [word …]
#
# The address is a global one, since names that lead elsewhere are not dialled. Nothing leaves:
# there is no interface but loopback's.
set -eu
dir=$1
here=$(dirname "$0")
ip link set lo up
ip address add 44.0.0.1/32 dev lo
mount --make-rprivate /
mount --bind "$dir/hosts" /etc/hosts
mount --bind "$dir/authorities.pem" /etc/ssl/certs/ca-certificates.crt
exec node "$here/world.mjs" "$@"
