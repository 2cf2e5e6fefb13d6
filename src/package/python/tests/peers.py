# SPDX-License-Identifier: MIT
"""Scores by substitution matrices against parasail and Biopython: peers.py [PAIRS]. Their own tables,
but for HOXD70, which is a file; random pairs of unrelated and of related sequences, each by a matrix
and gaps of its own, in every mode that they have. Then Biopython reads what the program writes as
pairwise. Exits with 77 where neither is installed."""

import os
import random
import subprocess
import sys
import tempfile

import rhomb
from rhomb import program

try:
    import parasail
except ImportError:
    parasail = None
try:
    from Bio import Align, AlignIO
    from Bio.Align import substitution_matrices
except ImportError:
    Align = None

PROTEINS = ["BLOSUM45", "BLOSUM62", "BLOSUM80", "BLOSUM90", "PAM30", "PAM70", "PAM250"]
PARASAIL = {name: name.lower() for name in PROTEINS} | {"NUC.4.4": "nuc44"}
HOXD70 = """   A    C    G    T
A   91 -114  -31 -123
C -114  100 -125  -31
G  -31 -125  100 -114
T -123  -31 -114   91
"""
MODES = ["global", "ends-free", "local"]


def random_pair(rng, letters):
    target = "".join(rng.choice(letters) for _ in range(rng.randint(1, 90)))
    if rng.random() < 0.3:
        return target, "".join(rng.choice(letters) for _ in range(rng.randint(1, 90)))
    begin = rng.randrange(len(target))
    query = [letter for letter in target[begin:] if rng.random() > 0.08]
    query = [rng.choice(letters) if rng.random() < 0.3 else letter for letter in query]
    for _ in range(rng.randrange(3)):
        at = rng.randint(0, len(query))
        query[at:at] = [rng.choice(letters) for _ in range(rng.randint(1, 12))]
    return target, "".join(query) or rng.choice(letters)


def by_parasail(matrix, mode, opening, extension):
    align = {"global": parasail.nw_striped_sat, "ends-free": parasail.sg_striped_sat,
             "local": parasail.sw_striped_sat}[mode]
    least = 0 if mode == "ends-free" else -sys.maxsize  # parasail has no empty alignment
    return lambda target, query: max(
        least, align(query, target, opening + extension, extension, matrix).score)


def by_biopython(matrix, mode, opening, extension):
    aligner = Align.PairwiseAligner(mode="local" if mode == "local" else "global")
    aligner.substitution_matrix = matrix
    aligner.open_gap_score = -opening - extension
    aligner.extend_gap_score = -extension
    if mode == "ends-free":
        aligner.end_gap_score = 0
    return aligner.score


def peers_of(name, path, mode, opening, extension):
    if parasail is not None:
        matrix = parasail.Matrix(path) if name == "HOXD70" else getattr(parasail, PARASAIL[name])
        yield "parasail", by_parasail(matrix, mode, opening, extension)
    if Align is not None:
        matrix = substitution_matrices.load(name)
        yield "Biopython", by_biopython(matrix, mode, opening, extension)


def compare(name, path, mode, count, seed):
    rng = random.Random(seed)
    opening, extension = rng.randint(0, 20), rng.randint(1, 5)
    if name == "HOXD70":
        opening, extension = 20 * opening, 10 * extension
    letters = {"HOXD70": "ACGT", "NUC.4.4": "ACGTNRYSWKMBDHV"}.get(name, "ARNDCQEGHILKMFPSTWYVBZX*")
    pairs = [random_pair(rng, letters) for _ in range(count)]
    found = list(rhomb.batch(pairs, mode=mode, score=f"matrix:{name},{opening},{extension}",
                             free_ends="all" if mode == "ends-free" else None, cigar=seed % 2 == 0,
                             alphabet="protein" if name in PROTEINS else "dna"))
    for peer, score in peers_of(name, path, mode, opening, extension):
        for (target, query), result in zip(pairs, found):
            if score(target, query) != result.score:
                sys.exit(f"{name},{opening},{extension} {mode}: {result.score}, by {peer} "
                         f"{score(target, query)}: {target} {query}")
    return count


def read_pairwise():
    """Both of Biopython's readers take the program's pairwise text; a deletion, an insertion and long
    gaps, a name that is cut, several pairs."""
    rng = random.Random(1)
    target = "".join(rng.choice("ACGT") for _ in range(1000))
    query = target[:400] + target[550:800] + "GATTACA" * 20 + target[800:]
    records = f">one_with_a_long_name\n{target}\n>two\n{query}\n", f">q1\n{query}\n>q2\n{target}\n"
    with tempfile.TemporaryDirectory() as folder:
        files = [os.path.join(folder, name) for name in ("t.fa", "q.fa", "out.txt")]
        for path, text in zip(files, records):
            with open(path, "w") as file:
                file.write(text)
        subprocess.run([program.find(), "batch", "--quiet", "--format", "pairwise", *files[:2],
                        "-o", files[2]], check=True)
        old = [[str(record.seq).replace("-", "") for record in pair]
               for pair in AlignIO.parse(files[2], "emboss")]
        new = [[str(pair.target.seq), str(pair.query.seq)] for pair in Align.parse(files[2], "emboss")]
    if not old == new == [[target, query], [query, target]]:
        sys.exit("Biopython reads other pairwise alignments than the program has written")


def main():
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 20000
    if parasail is None and Align is None:
        print("neither parasail nor Biopython is installed")
        sys.exit(77)
    if Align is not None:
        read_pairwise()
    names = PROTEINS + ["NUC.4.4", "HOXD70"]
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write(HOXD70)
        file.flush()
        compared = sum(compare(name, file.name, mode, pairs // (3 * len(names)) + 1, seed)
                       for seed, (name, mode) in
                       enumerate((name, mode) for name in names for mode in MODES))
    print(compared, "pairs have the scores of", *(name for name, there in
          (("parasail", parasail), ("Biopython", Align)) if there))


if __name__ == "__main__":
    main()
