#!/usr/bin/env bash
# steps.sh NAME STEP...: runs targets of the Makefile in order, all of them even after a
# failure. Targets with + between them run at the same time, because each of them leaves a
# core idle. At the end it prints the table of docs/performance.md, "What checks cost":
# seconds of wall time, and of processor time of all processes.
set -uo pipefail
name=$1
shift

# children sets cpu to the processor time of all ended children, in seconds. A subshell has no
# children yet, so times must not run in one.
report=$(mktemp)
trap 'rm -f "$report"' EXIT
children() {
	times >"$report"
	cpu=$(awk 'NR == 2 { gsub("[ms]", " "); print int(60 * $1 + $2 + 60 * $3 + $4) }' "$report")
}

table="| \`make $name\` | wall s | CPU s | |"$'\n''|---|--:|--:|---|'$'\n'
failed=()
all=$SECONDS
for step in "$@"; do
	printf '\n=== make %s\n' "$step"
	begin=$SECONDS verdict=ok
	children
	before=$cpu
	if [ "$step" = "${step//+/ }" ]; then
		"${MAKE:-make}" --no-print-directory "$step"
	else
		# shellcheck disable=SC2086
		"${MAKE:-make}" --no-print-directory --keep-going --output-sync=target -j2 ${step//+/ }
	fi || { verdict=FAILED; failed+=("$step"); }
	children
	table+=$(printf '| %s | %d | %d | %s |' "${step//+/, }" $((SECONDS - begin)) $((cpu - before)) "$verdict")$'\n'
done
table+=$(printf '| all | %d | %d | %s, %d cores, %s |' $((SECONDS - all)) "$cpu" \
	"$(git describe --always --dirty 2>/dev/null)" "$(nproc)" "$(date -u +%F)")$'\n'
printf '\n%s\n' "$table"
if [ ${#failed[@]} -gt 0 ]; then
	echo "make $name: failed: ${failed[*]}"
	exit 1
fi
echo "make $name: all passed"
