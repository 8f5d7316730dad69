cd /tmp/owners; timeout 400 node_modules/.bin/node node_modules/.bin/vitest run --maxWorkers 2 "$@" 2>&1 | sed 's/\x1b\[[0-9;]*m//g' | grep -v "✓\|↓" | tail -60
