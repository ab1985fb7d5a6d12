import { createHash } from 'node:crypto'
import { type CopyHeader, decodeCopyHeader } from '../baking/baked-copy.ts'
import type { Db } from '../db/database.ts'
import { AppError } from '../errors.ts'
import { type FrameMeta, type InspectedRecord, decodeMeta, inspectRecord } from '../frames/record.ts'
import { bakedOption, metaOption, recordOption } from '../frames/option-names.ts'
import type { Registry } from '../frames/registry.ts'
import type { Site } from '../wordpress/network/site.ts'
import { streamOptions } from '../wordpress/options/read-options.ts'

/** What is stored of a frame; a part that is not there is undefined, one that says nothing null. */
export type SurveyedFrame = {
  readonly record?: SurveyedRecord | null
  readonly meta?: FrameMeta | null
  readonly copy?: CopyHeader | null
}

/** A record without its markup. */
export type SurveyedRecord = Omit<InspectedRecord, 'record'> & {
  readonly bytes: number
  readonly sha256: string
  readonly updatedAt: string
}

const OPTION_NAME = new RegExp(
  `^${recordOption('(.+?)')}(${suffixOf(metaOption)}|${suffixOf(bakedOption)})?$`,
)
/** What else begins like the record of a frame belongs to somebody else. */
const FRAME_ID = /^[0-9a-f]{16}$/

/**
 * What is stored of each frame of a site, in one statement and one markup at a time.
 * @param registry whose frames may have ids of other forms, too
 */
export async function surveyFrames(
  db: Db,
  site: Site,
  registry: Registry | undefined,
): Promise<Map<string, SurveyedFrame>> {
  const listed = new Map(registry?.all().map(({ id, slug }) => [id, slug]))
  const frames = new Map<string, SurveyedFrame>()
  for await (const { name, text } of streamOptions(
    db,
    site,
    recordOption(''),
    suffixOf(bakedOption),
  )) {
    const [, id = '', suffix] = OPTION_NAME.exec(name) ?? []
    if (!listed.has(id) && !FRAME_ID.test(id)) continue
    frames.set(id, { ...frames.get(id), ...surveyOption(suffix, text, id, listed.get(id) ?? id) })
  }
  return frames
}

function suffixOf(nameOf: (id: string) => string): string {
  return nameOf('').slice(recordOption('').length)
}

function surveyOption(
  suffix: string | undefined,
  text: string,
  id: string,
  slug: string,
): SurveyedFrame {
  if (suffix === suffixOf(metaOption)) return { meta: decodeMeta(text) ?? null }
  if (suffix === suffixOf(bakedOption)) return { copy: decodeCopyHeader(text) ?? null }
  try {
    const { record, ...inspected } = inspectRecord(text, id, slug)
    return {
      record: {
        ...inspected,
        bytes: Buffer.byteLength(record.html),
        sha256: createHash('sha256').update(record.html).digest('hex'),
        updatedAt: record.updated_at_gmt,
      },
    }
  } catch (error) {
    if (error instanceof AppError) return { record: null }
    throw error
  }
}
