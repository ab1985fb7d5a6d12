// The jobs of the worker thread that reads, writes and removes static copies. Jobs and results are plain data.

import type { CopyTags } from './cache-tags.ts'

/** A copy to look for. */
export type CopyQuery = {
  /** See `CopyTarget.locate`. */
  readonly location: string
  /** Blog id. */
  readonly site: number
  readonly page: number
  /** The HTML file as its record describes it; missing if its files may be incomplete. */
  readonly recorded?: { readonly htmlBytes: number; readonly fileTime: number }
  /** SHA-256 of the HTML: the contents of the files are compared too. Missing where size and time are enough. */
  readonly digest?: string
  /** The copy is about to be written: whether it exists may be answered as it is recorded. */
  readonly isReplaced?: true
}

export type FindJob = { readonly copies: readonly CopyQuery[] }

/** A copy of a page on disk. */
export type FoundCopy = {
  readonly htmlBytes: number
  /** True if the files are as recorded: nobody has replaced or damaged them. */
  readonly isAsRecorded: boolean
  /** The URL in its owner file, which is read only if the file is not as recorded; undefined if there is none. */
  readonly ownerUrl?: string
  /** A request of a process that was killed can still change it: when its page is published, it is written again, so that the request fails. */
  readonly isDoubtful?: boolean
}

/** A copy to write. */
export type NewCopy = {
  readonly page: number
  readonly location: string
  readonly html: string
  /** The page's own URL. */
  readonly url: string
  /** The version of the site of which the copy was built. */
  readonly version: number
  /** SHA-256 of the HTML. */
  readonly digest: string
  /** Content of the owner file; missing if the existing one is right. */
  readonly owner?: string
  /** For the metadata of a store, if pages have tags. */
  readonly tagged?: CopyTags
  /** That of a record which describes the copy, in microseconds since 1970 [now]. */
  readonly fileTime?: number
  /** Recorded size of the copy that it replaces, with its compressed forms, in bytes. */
  readonly replacedBytes: number
}

export type WriteJob = {
  /** Absolute path. */
  readonly staticDir: string
  /** Path of the claim's staging folder. */
  readonly staging: string
  readonly copies: readonly NewCopy[]
  readonly quota?: CopyQuota | undefined
}

/** The size of a site's copies and its limit, in bytes. */
export type CopyQuota = { readonly used: number; readonly limit: number }

/** The files of a copy that was written. */
export type WrittenFiles = {
  /** Modification time of the HTML file, in microseconds since 1970. */
  readonly fileTime: number
  readonly htmlBytes: number
  /** Size with the compressed forms. */
  readonly bytes: number
  /** The HTML of a copy of the page that was there, although no record had it, in bytes. */
  readonly adoptedBytes?: number
}

/** An error of one copy; `code`: that of the system, or of a `StaticPathError`; empty if there is none. */
export type FileError = { readonly code: string; readonly message: string }

/** The outcome for each copy of a `WriteJob`. `over`: it would exceed the quota, so nothing was written. */
export type WriteOutcome = WrittenFiles | { readonly over: true } | { readonly error: FileError }

/** A copy to remove. */
export type FormerCopy = {
  readonly location: string
  /** Blog id. */
  readonly site: number
  readonly page: number
}

export type RemoveJob = {
  readonly staticDir: string
  readonly staging: string
  readonly copies: readonly FormerCopy[]
}

/** The outcome for each copy of a `RemoveJob`. */
export type RemoveOutcome = { readonly error?: FileError }

/** `lost`: the staging folder is gone. */
export type Outcomes<T> = readonly T[] | 'lost'
