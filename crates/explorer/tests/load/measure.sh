#!/bin/sh
# Measures a running explorer with wrk: `measure.sh [URL]`. Ten seconds each, pages and
# JSON, one client and 32.
set -eu
url=${1:-http://127.0.0.1:8000}
positions=$(dirname "$0")/positions.lua
for path in /play/ /api/v1/solve/; do
  for clients in 1 32; do
    echo "$path, $clients at once"
    wrk --threads 1 --connections "$clients" --duration 10s --latency --script "$positions" "$url" -- "$path" |
      grep -E '50%|99%|requests in|Non-2xx|errors'
  done
done
