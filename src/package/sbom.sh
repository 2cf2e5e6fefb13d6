#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# sbom.sh VERSION BINARY [ARCHIVE...]: a bill of materials, SPDX 2.3 as JSON, of Rhomb and what
# linked.sh finds: each library with its file's SHA-256 and the Debian package that it comes from.
# SOURCE_DATE_EPOCH gives the time in it, so that the same parts have the same bill.
set -eu -o pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
version=$1
shift
parts=$("$here/linked.sh" "$@")
digest=$(cut -f 2 <<<"$parts" | xargs sha256sum | cut -d ' ' -f 1)
distribution=$(. /etc/os-release 2>/dev/null && echo "${ID:-linux}")
created=$(date --utc --date "@${SOURCE_DATE_EPOCH:-$(date +%s)}" +%Y-%m-%dT%H:%M:%SZ)

paste <(echo "$parts") <(echo "$digest") | awk -F '\t' -v version="$version" \
    -v distribution="$distribution" -v created="$created" \
    -v name="$(sha256sum <<<"$version $parts $digest" | cut -c 1-32)" '
function identifier(text) { gsub(/[^A-Za-z0-9.-]/, "-", text); return "SPDXRef-" text }
function escaped(text) { gsub(/\+/, "%2B", text); gsub(/:/, "%3A", text); return text }
{
    packages = packages sprintf(",\n    {\"SPDXID\": \"%s\", \"name\": \"%s\", \"versionInfo\": \"%s\",\n" \
        "     \"downloadLocation\": \"NOASSERTION\", \"filesAnalyzed\": false,\n" \
        "     \"checksums\": [{\"algorithm\": \"SHA256\", \"checksumValue\": \"%s\"}]",
        identifier($1), $1, $4, $5)
    if ($3 != "-")
        packages = packages sprintf(",\n     \"externalRefs\": [{\"referenceCategory\": \"PACKAGE-MANAGER\"," \
            " \"referenceType\": \"purl\",\n       \"referenceLocator\": \"pkg:deb/%s/%s@%s\"}]",
            distribution, escaped($3), escaped($4))
    packages = packages "}"
    relations = relations sprintf(",\n    {\"spdxElementId\": \"SPDXRef-rhomb\", \"relationshipType\": \"%s\", " \
        "\"relatedSpdxElement\": \"%s\"}", $1 ~ /\.a$/ ? "STATIC_LINK" : "DYNAMIC_LINK", identifier($1))
}
END {
    print "{\n  \"spdxVersion\": \"SPDX-2.3\",\n  \"dataLicense\": \"CC0-1.0\",\n  \"SPDXID\": \"SPDXRef-DOCUMENT\","
    print "  \"name\": \"rhomb-" version "\","
    print "  \"documentNamespace\": \"https://spdx.org/spdxdocs/rhomb-" version "-" name "\","
    print "  \"creationInfo\": {\"created\": \"" created "\", \"creators\": [\"Tool: sbom.sh-" version "\"]},"
    print "  \"packages\": [\n    {\"SPDXID\": \"SPDXRef-rhomb\", \"name\": \"rhomb\", \"versionInfo\": \"" version "\","
    print "     \"downloadLocation\": \"NOASSERTION\", \"filesAnalyzed\": false, \"licenseDeclared\": \"MIT\"}" packages "\n  ],"
    print "  \"relationships\": [\n    {\"spdxElementId\": \"SPDXRef-DOCUMENT\", \"relationshipType\": \"DESCRIBES\", " \
        "\"relatedSpdxElement\": \"SPDXRef-rhomb\"}" relations "\n  ]\n}"
}'
