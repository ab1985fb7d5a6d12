import { join } from 'node:path'
import type { StoreRelay } from '../../../packages/store-s3/test/store-relay.ts'
import { openStoreCopies } from '../../../packages/store-s3/torture/store-copies.ts'
import type { CopyStoreSettings } from '../../../src/build/publishing/open-copy-store.ts'
import { openFolderCopies } from './folder-copies.ts'
import type { FreshPage } from './fresh-render.ts'

/** Where the static copies of a trial are: a folder of the trial, or an S3 server of the trial. */
export type CopyTargetKind = 'folder' | 's3'

/** The static copies of a trial, behind the back of the service. */
export interface StaticCopies {
  /** For an executor or doctor in the process of the trial. */
  readonly settings: CopyStoreSettings
  /** The variables of a process of the service. @param name its name in `bytesBy` */
  envOf(name: string): Record<string, string>
  /** The bytes of copies that processes of a name have sent to a store; undefined for a folder. */
  bytesBy(name: string): number | undefined
  /** What happens to requests of the service for a store. @throws Error for a folder */
  interfere(how: StoreRelay['interfere']): void
  /** A sentence for each copy that is incomplete, or whose forms differ. Writers may be active. */
  findTorn(): Promise<string[]>
  /** Compares the copies with the pages of the only site; a sentence for each difference. */
  findDifferences(site: number, pages: readonly FreshPage[]): Promise<string[]>
  /** What unfinished publications have left. */
  findLeftovers(): Promise<string[]>
  /** The time of the copy at a URL, as its record has it: '' if there is no copy, undefined if the URL can have none. */
  readTime(url: string): Promise<string | undefined>
  close(): Promise<void>
}

/** @param folder of the trial */
export async function openStaticCopies(
  kind: CopyTargetKind,
  folder: string,
): Promise<StaticCopies> {
  return kind === 's3' ? openStoreCopies() : openFolderCopies(join(folder, 'static'))
}

/** What tells two contents apart: the marks of writes in them, and their size. */
export function markOf(html: string): string {
  const marks = html.match(/\bw\d-\d+|\bw\d \d+ at|\bpaused-\d+/g) ?? []
  return `${[...new Set(marks)].slice(0, 3).join(' with ')} (${html.length} characters)`
}
