import type { FrameGraph, IndexedFrame } from '../../content/frames/graph.ts'
import { bakedOption } from '../../content/frames/option-names.ts'
import { REPORTED_PREFIX } from '../../content/markup/nodes.ts'
import type { Db } from '../../db/database.ts'
import type { UnresolvedBind } from '../../host/effects.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { readOptionLine } from '../../wordpress/options/read-options.ts'
import { type CopyHeader, decodeCopyHeader } from './baked-copy.ts'
import { isClosureOf } from './closure.ts'

/** What is wrong with a frame. */
export type FrameProblems = {
  /** Whether there is a baked copy of its present markup. Without one, only missing frames are known. */
  readonly isBuilt: boolean
  /** Sentences, without duplicates. */
  readonly problems: readonly string[]
}

/** The problems of these frames, by id, as their last bakes have found them. One statement, which reads no markup. */
export async function readFrameProblems(
  db: Db,
  site: Site,
  graph: FrameGraph,
  frames: readonly IndexedFrame[],
): Promise<Map<string, FrameProblems>> {
  const found = frames.map(async (frame) => {
    const header = decodeCopyHeader(await readOptionLine(db, site, bakedOption(frame.id)))
    const isBuilt = header !== undefined && isClosureOf(graph, frame.id, header.closure)
    const problems = isBuilt ? problemsIn(header, frame) : missingFrames(graph, frame)
    return [frame.id, { isBuilt, problems: [...new Set(problems)] }] as const
  })
  return new Map(await Promise.all(found))
}

function problemsIn(header: CopyHeader, frame: IndexedFrame): string[] {
  return [
    ...mistakesIn(header, frame),
    ...header.languages.flatMap(({ warnings }) => warnings),
    ...unresolvedIn(header, frame, (reason) => reason === 'no_value').map(describeUnresolved),
  ]
}

/** Inserts that print nothing, and binds that can have no value. */
export function mistakesIn(header: CopyHeader, frame: IndexedFrame): string[] {
  const { unknown_inserts, broken_inserts = unknown_inserts.map(describeUnknown) } = header.facts
  return [
    ...broken_inserts,
    ...unresolvedIn(header, frame, (reason) => reason !== 'no_value').map(describeUnresolved),
  ]
}

const describeUnknown = (name: string): string =>
  `The insert "svc/${name.slice(REPORTED_PREFIX.length)}" is unknown and prints nothing.`

function unresolvedIn(
  { languages }: CopyHeader,
  { slug }: IndexedFrame,
  isMeant: (reason: UnresolvedBind['reason']) => boolean,
): UnresolvedBind[] {
  return languages.flatMap(({ unresolved }) =>
    unresolved.filter(
      ({ frame, bind, reason }) => frame === slug && isMeant(reason) && !FROM_EMBEDDERS.test(bind),
    ),
  )
}

/** A bind to what the frames that embed this one give it: it has a value on their pages only. */
const FROM_EMBEDDERS = /(?:^|:)(?:item|props)(?:\.|$)/

const REASONS: Readonly<Record<UnresolvedBind['reason'], string>> = {
  no_value: 'has no value',
  unknown_name: 'names no source',
  not_allowed: 'is not allowed there',
}

const describeUnresolved = ({ bind, reason, line, column }: UnresolvedBind): string =>
  `The bind "${bind}" at line ${line}, column ${column} ${REASONS[reason]}.`

function missingFrames({ registry }: FrameGraph, { meta }: IndexedFrame): string[] {
  return meta.references
    .filter((ref) => !registry.find(ref))
    .map((ref) => `The frame "${ref}" does not exist; its insert prints nothing.`)
}
