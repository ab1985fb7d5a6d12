import type { User } from '../../wordpress/users/users.ts'

/** What an operator chose of an import. */
export type ImportSettings = {
  /** A menu that bears the slug already is changed. */
  readonly replace: boolean
  /** Items on unpublished pages are left out. */
  readonly allowInvalid: boolean
  /** Nothing is written. */
  readonly dryRun: boolean
  /** The author of the items. */
  readonly user: User
}
