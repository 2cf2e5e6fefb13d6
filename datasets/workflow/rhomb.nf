// SPDX-License-Identifier: MIT
//
// Two assemblies, chromosome by chromosome: RHOMB_COMPARE aligns the pairs of records in parts, and
// puts them together. See README.md.
//
//     include { RHOMB_COMPARE } from './rhomb.nf'
//     workflow { RHOMB_COMPARE(file(params.target), file(params.query), 8) }

params.match = 'best'
params.device = 'all'
params.options = '--blocks'

process RHOMB_PART {
    tag "${k}/${parts}"
    label 'gpu'

    input:
    tuple val(k), val(parts), path(target), path(query)

    output:
    tuple val(k), path("part.${k}.paf"), emit: paf

    script:
    """
    rhomb align --match ${params.match} --part ${k}/${parts} --device ${params.device} \\
        ${params.options} --output part.${k}.paf ${target} ${query}
    """

    stub:
    """
    touch part.${k}.paf
    """
}

process RHOMB_REPORT {
    input:
    path(parts)
    path(target)
    path(query)

    output:
    path('alignments.paf'), emit: paf
    path('report.txt'), emit: report
    path('plot.svg'), emit: plot

    // Parts come in the order of their numbers.
    script:
    """
    cat ${parts} > alignments.paf
    rhomb verify --quiet alignments.paf ${target} ${query}
    rhomb report alignments.paf ${target} ${query} --output report.txt
    rhomb plot alignments.paf --output plot.svg
    """

    stub:
    """
    touch alignments.paf report.txt plot.svg
    """
}

workflow RHOMB_COMPARE {
    take:
    target
    query
    parts

    main:
    RHOMB_PART(Channel.of(1..parts).map { k -> tuple(k, parts, target, query) })
    sorted = RHOMB_PART.out.paf.toSortedList { a, b -> a[0] <=> b[0] }.map { list -> list*.get(1) }
    RHOMB_REPORT(sorted, target, query)

    emit:
    paf = RHOMB_REPORT.out.paf
    report = RHOMB_REPORT.out.report
    plot = RHOMB_REPORT.out.plot
}
