# SPDX-License-Identifier: MIT
# needs: device
# needs: sketch
# needs: python jsonschema
# Every JSON document is what its schema says, which allows no other fields; and each field of a schema is in
# some document but for those that are named here, so that none is listed alone.
try rhomb help schema
try rhomb help schema rhomb.align
try rhomb help align rhomb.align.1
rhomb help schema rhomb.batch.1 | head -n 16

export POCL_DEVICES=${POCL_DEVICES:-basic pthread}
make_sequences 'BEGIN {
    a = bases(2000); b = bases(1500); c = bases(1800)
    print ">a \"1\"\n" a b "\n>b\n" c "\n>alone\n" bases(300) >"target.fa"
    print ">b\n" substr(c, 1, 999) "TT" substr(c, 1002) "\n>a \"1\"\n" a bases(400) reversed(b) >"query.fa"
    print ">t\nNNR" tolower(a) >"t.fa"
    print ">q\n" a >"q.fa"
    for (k = 0; k < 800; k++) {
        text = bases(6)
        print text >"t.fa"
        print (k % 2 ? "A" : "") substr(text, 2) >"q.fa"
    }
    print ">AC\n<ACGT\nodd\n>" a "\n<" substr(a, 5) >"pairs.seq"
}'
mkdir out
# json NAME ARGUMENT...: a document in out/.
number=0
json() {
    number=$((number + 1))
    rhomb "$@" --quiet >out/$number.json 2>errors || cat errors
}
matches='--score match:2,4,4,2'
# shellcheck disable=SC2086 # options
{
    json devices --json --self-test
    json devices --json
    for command in distance align; do
        json $command --json t.fa q.fa
        json $command --json --max-distance 0 t.fa q.fa
        json $command --json $matches --strand auto --resume kept -r t:1-1000 t.fa q.fa
        json $command --json --dry-run t.fa q.fa
        json $command --json --match best --device all target.fa query.fa
        for engine in wavefront bitparallel; do
            json $command --json --no-sketch --engine $engine --tune chunk=1 --device all t.fa q.fa
        done
    done
    json align --report out/report.json t.fa q.fa -o t.paf
    for mode in local extend ends-free; do
        json align --json --mode $mode $matches t.fa q.fa
        json align --json --mode $mode $matches --dry-run t.fa q.fa
        json batch --format json --mode $mode $matches t.fa q.fa
    done
    json align --json --match names --blocks target.fa query.fa
    json batch --format json --keep-going --cigar --max-distance 3 pairs.seq
    json batch --format json --match best $matches target.fa query.fa
}
rhomb align --quiet --match best -o all.paf target.fa query.fa
json report --json all.paf target.fa query.fa

mkdir schemas
rhomb help schema | while read -r name _; do rhomb help schema "$name" >schemas/"$name"; done
cat >check.py <<'END'
import json, os
import jsonschema

def visit(schema, value, name, seen):
    """Notes which fields of a schema there are in a value; a schema alone is visited with None."""
    if "properties" in schema:
        assert schema["additionalProperties"] is False, name
        for key, field in schema["properties"].items():
            assert field["description"] and field["type"], (name, key)
            path = name + "." + key
            seen.setdefault(path, False)
            if isinstance(value, dict) and key in value:
                seen[path] = True
                visit(field, value[key], path, seen)
            else:
                visit(field, None, path, seen)
    elif isinstance(schema.get("items"), dict):
        for item in value or [None]:
            visit(schema["items"], item, name, seen)

schemas = {name: json.load(open("schemas/" + name)) for name in os.listdir("schemas")}
counts, seen = dict.fromkeys(schemas, 0), {}
for name, schema in schemas.items():
    jsonschema.Draft202012Validator.check_schema(schema)
    visit(schema, None, name, seen)
for file in sorted(os.listdir("out")):
    text = open("out/" + file).read()
    for part in [text] if '"schema"' in text else text.splitlines():
        document = json.loads(part)
        name = document.get("schema", "rhomb.batch.1")
        counts[name] += 1
        for error in jsonschema.Draft202012Validator(schemas[name]).iter_errors(document):
            print(name, file, error.json_path, error.message[:200])
        visit(schemas[name], document, name, seen)
for name, count in sorted(counts.items()):
    print(f"{name}: {count} documents, {sum(key.startswith(name + '.') for key in seen)} fields")
several = len(json.load(open("out/1.json"))["devices"]) > 1
unseen = [key for key in sorted(seen) if not seen[key] and seen.get(key.rpartition(".")[0], True)
          and (several or ".devices" not in key)]
print("not seen:", *unseen, sep="\n")
END
python3 check.py
