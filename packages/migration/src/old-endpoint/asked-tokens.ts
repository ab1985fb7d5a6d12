import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Database } from '#wp-frames/db/database'
import type { Author } from '#wp-frames/db/transaction'
import { FairQueue } from '#wp-frames/host/concurrency/fair-queue'
import { Memo } from '#wp-frames/host/concurrency/memo'
import { RequestCoalescer } from '#wp-frames/host/concurrency/request-coalescer'
import { AppError } from '#wp-frames/host/errors'
import type { Log } from '#wp-frames/host/log'
import type { AskedTokens, AskingRequest } from '#wp-frames/record/auth/asked-tokens'
import {
  type AskedAccess,
  type Caller,
  invalidToken,
  type TokenOnSite,
} from '#wp-frames/record/auth/authenticate'
import { findChosenBlogId, notAuthorized } from '#wp-frames/record/auth/authorize-site'
import { hashToken, isTokenFormat } from '#wp-frames/record/auth/tokens'
import type { GlobalTables } from '#wp-frames/wordpress/network/site'
import { findOrdinaryAdministrator } from '#wp-frames/wordpress/users/site-membership'
import { findUserByLogin, type User } from '#wp-frames/wordpress/users/users'
import type { AskAboutToken, TokenAnswer, TokenQuestion } from './ask-about-token.ts'
import {
  mayAskAbout,
  readCheck,
  recordAcceptance,
  recordRefusal,
  type TokenCheck,
} from './asked-token-rows.ts'
import { isPassedBefore } from './legacy-endpoint.ts'

/** Refusals of unknown tokens that are remembered. */
export const MAX_REFUSALS = 10_000
/** Questions about tokens that nobody has accepted yet, by address. */
export const UNKNOWN_TOKEN_QUESTIONS = {
  resource: 'the old endpoint, which has to be asked about this token',
  concurrency: 4,
  concurrencyPerKey: 2,
  maxWaitingPerKey: 10,
}
/** Questions about tokens that were accepted before, by token. Guesses do not delay them. */
export const KNOWN_TOKEN_QUESTIONS = {
  resource: 'the old endpoint, which has to be asked again about this token',
  concurrency: 8,
  concurrencyPerKey: 2,
  maxWaitingPerKey: 20,
}

export type AskedTokensOptions = {
  readonly db: Database
  readonly globals: GlobalTables
  readonly log: Log
  readonly now: () => Date
  readonly ask: AskAboutToken
  /** The user that all such tokens act as [an administrator of each site who is not a super administrator, without the right to write markup] */
  readonly login: string | undefined
}

/**
 * Tokens that the old endpoint has issued, and that are known only by asking it (`LEGACY_TOKENS=ask`). An unknown token is asked about once; if it is accepted,
 * its hash is stored with an expiry, for the one site. Each further site is asked about when it is first used, and each again when the answer is some
 * minutes old. What is refused expires at once; while there is no answer, what was accepted within the hour goes on.
 */
export class TokensOfOldEndpoint implements AskedTokens {
  readonly #options: AskedTokensOptions
  readonly #unknown: FairQueue
  readonly #known: FairQueue
  /** One question at a time for a token and a site. */
  readonly #coalescer = new RequestCoalescer()
  /** Hashes of refused tokens, and those that are refused for a site, with its id. */
  readonly #refusals: LRUCache<string, true>
  /** Tokens and addresses that nothing is asked for, and `EVERYTHING`. */
  readonly #paused: LRUCache<string, true>

  constructor(options: AskedTokensOptions) {
    this.#options = options
    const { refusedSeconds, askPauseSeconds, askWaitMs: maxWaitMs } = options.db.timings.auth
    this.#unknown = new FairQueue({ ...UNKNOWN_TOKEN_QUESTIONS, maxWaitMs })
    this.#known = new FairQueue({ ...KNOWN_TOKEN_QUESTIONS, maxWaitMs })
    const max = MAX_REFUSALS
    const perf = { now: () => options.now().getTime() }
    this.#refusals = new LRUCache({ max, ttl: refusedSeconds * 1000, perf })
    this.#paused = new LRUCache({ max, ttl: askPauseSeconds * 1000, perf })
  }

  /**
   * Finds the caller of a token: one that is stored, or one that the old endpoint accepts.
   * @throws AppError `invalid_token`; `site_not_found` and `insufficient_role` for a valid token that it does not accept for the site;
   * `service_busy` if it does not answer
   */
  async findCaller(request: AskingRequest): Promise<Caller> {
    const known = await request.find()
    if (known && !known.isAsked) return known.caller
    const access = { isUnnamed: this.#options.login === undefined }
    if (!known && !(await this.#admit(request))) {
      const openSite = (blogId: number) => this.#openFirst(request, blogId)
      return { ...NOBODY, asked: { ...access, openSite } }
    }
    const found = known ?? (await request.find())
    // Revoked or imported meanwhile.
    if (!found) throw invalidToken()
    const { caller } = found
    if (!found.isAsked) return caller
    const sites = new Memo()
    const openSite = (blogId: number) =>
      sites.once(String(blogId), () => this.#openSite(request, caller, blogId))
    await this.#assertAccepted(request, caller, openSite)
    return { ...caller, asked: { ...access, openSite } }
  }

  /** Checks that the token is still valid, for the site that the request seems to be for, or else for any. */
  async #assertAccepted(
    { choice }: AskingRequest,
    { tokenId }: Caller,
    openSite: AskedAccess['openSite'],
  ): Promise<void> {
    const { db, globals } = this.#options
    if ('blogId' in choice) return void (await openSite(choice.blogId))
    const tried = new Set<number>()
    for (;;) {
      const last = await readCheck(db, globals, tokenId, 0)
      if (!last) throw invalidToken()
      if (await openSite(last.blogId)) return
      // Still there: it is accepted, but there is no user.
      if (tried.has(last.blogId)) throw invalidToken()
      tried.add(last.blogId)
    }
  }

  async #openSite(
    request: AskingRequest,
    caller: Caller,
    blogId: number,
  ): Promise<TokenOnSite | undefined> {
    const { tokenId, tokenLabel, tokenExpiresAt } = caller
    const user = await this.#findUser(request, tokenId, blogId)
    return user && { tokenId, tokenLabel, tokenExpiresAt, user }
  }

  /** A site that the body of a request names, whose token is not stored yet. */
  async #openFirst(request: AskingRequest, blogId: number): Promise<TokenOnSite | undefined> {
    if (!(await this.#isAccepted(request, blogId))) return undefined
    const found = await request.find()
    if (!found?.isAsked) throw invalidToken()
    return this.#openSite(request, found.caller, blogId)
  }

  /**
   * Stores an unknown token that the old endpoint accepts for the site of the request, or for the main site if the request names none.
   * @returns false if the token is valid, but not for the main site, and the request may still name another one
   */
  async #admit(request: AskingRequest): Promise<boolean> {
    const { db, globals } = this.#options
    const { token, choice, mayNameSiteInBody } = request
    if (!isTokenFormat(token) || !(await mayAskAbout(db, globals, hashToken(token))))
      throw invalidToken()
    const chosen = await findChosenBlogId(db, globals, choice)
    const blogId = chosen || (await findChosenBlogId(db, globals, { by: 'default' }))
    if (await this.#isAccepted(request, blogId)) return true
    if (choice.by !== 'default') throw notAuthorized(choice)
    if (mayNameSiteInBody) return false
    throw new AppError(
      'invalid_token',
      'The API token is not known here yet, the request names no site, and the old endpoint does not accept the token for the main site. Send a request to a site first, such as GET /site/<id>/menus.',
    )
  }

  /** Whether an unknown token is accepted for a site. If it is, it is stored. @throws AppError `invalid_token` if it is not valid at all */
  #isAccepted(request: AskingRequest, blogId: number): Promise<boolean> {
    const key = `${hashToken(request.token).toString('hex')} ${blogId}`
    return this.#coalescer.run(key, () => this.#askFirst(request, blogId, key))
  }

  async #askFirst(request: AskingRequest, blogId: number, key: string): Promise<boolean> {
    const { db, globals } = this.#options
    const { token, client, addressKey } = request
    const hash = hashToken(token)
    const hex = hash.toString('hex')
    if (this.#refusals.has(hex)) throw invalidToken()
    if (this.#refusals.has(key)) return false
    // The question of another request has been answered meanwhile.
    const check = await readCheck(db, globals, hash, blogId)
    if (this.#userOf(check, db.timings.auth.maxCheckAgeMinutes) && (await request.find()))
      return true
    const answer = await this.#unknown.run(addressKey, async () => {
      if (isPassedBefore(request)) throw cameBack()
      await request.mayAsk()
      return this.#ask({ token, blogId, client }, `address ${addressKey}`)
    })
    switch (answer.answer) {
      case 'accepted':
        return (await this.#accept(hash, blogId, key)) !== undefined
      case 'other_site':
        this.#refusals.set(key, true)
        return false
      case 'refused':
        this.#refusals.set(hex, true)
        throw invalidToken()
      case 'unknown':
        throw noAnswer(answer, db.timings.auth.askPauseSeconds)
    }
  }

  /**
   * The user on a site of a stored token; asks again if the answer is too old.
   * @returns undefined if it is not accepted for the site
   */
  #findUser(request: AskingRequest, tokenId: number, blogId: number): Promise<User | undefined> {
    const { db, globals } = this.#options
    const hash = hashToken(request.token)
    const key = `${hash.toString('hex')} ${blogId}`
    return this.#coalescer.run(`${tokenId} ${key}`, async () => {
      const check = await readCheck(db, globals, tokenId, blogId)
      const checked = this.#userOf(check, db.timings.auth.maxCheckAgeMinutes)
      if (checked) return checked
      if (!check && this.#refusals.has(key)) return undefined
      const { token, client } = request
      const answer = await this.#known
        .run(String(tokenId), () => this.#ask({ token, blogId, client }, `token ${tokenId}`))
        .catch(asNoAnswer)
      switch (answer.answer) {
        case 'accepted':
          return this.#accept(hash, blogId, key)
        case 'other_site':
          this.#refusals.set(key, true)
          if (check) await this.#end(tokenId, blogId)
          return undefined
        case 'refused':
          this.#refusals.set(hash.toString('hex'), true)
          await this.#end(tokenId, undefined)
          throw invalidToken()
        case 'unknown': {
          const user = this.#userOf(check, db.timings.auth.maxUncheckedMinutes)
          if (user) return user
          throw noAnswer(answer, db.timings.auth.askPauseSeconds)
        }
      }
    })
  }

  /** The user of an acceptance that is not older. One for another user than the operator names now is not used. */
  #userOf(check: TokenCheck | undefined, minutes: number): User | undefined {
    const { login, now } = this.#options
    if (!check || (login !== undefined && login !== check.user.login)) return undefined
    return now().getTime() - check.checkedAt.getTime() < minutes * 60_000 ? check.user : undefined
  }

  /** Asks, unless there was no answer just now. @param asker the token or the address that the pause after no answer is for */
  async #ask(question: TokenQuestion, asker: string): Promise<TokenAnswer> {
    const { ask, log } = this.#options
    if (this.#paused.has(EVERYTHING) || this.#paused.has(asker)) return PAUSED
    const answer = await ask(question)
    if (answer.answer === 'unknown') {
      const { reason, isOutage } = answer
      log.warn(
        { blogId: question.blogId, reason },
        'the old endpoint does not say whether a token is valid',
      )
      this.#paused.set(isOutage ? EVERYTHING : asker, true)
    }
    return answer
  }

  /** Stores an acceptance. @returns the user on the site; undefined if there is none, or the token has ended meanwhile */
  async #accept(hash: Buffer, blogId: number, key: string): Promise<User | undefined> {
    const { db, globals, log, login, now } = this.#options
    const user =
      login === undefined
        ? await findOrdinaryAdministrator(db, globals, blogId)
        : await findUserByLogin(db, globals, login)
    if (!user || user.isBlocked) {
      this.#refusals.set(key, true)
      log.warn(
        { blogId },
        login === undefined
          ? 'the old endpoint accepts a token for a site that has no administrator who is not a super administrator; set LEGACY_TOKEN_USER to the login of the user that such tokens act as'
          : 'no user who may log in has the login in LEGACY_TOKEN_USER, so no token of the old endpoint is accepted; set it to the login of a user',
      )
      return undefined
    }
    const acceptance = { hash, blogId, user, now: now() }
    const author = authorOf('the old endpoint accepts the token')
    const isStored = await db.write({ author }, (tx) => recordAcceptance(tx, globals, acceptance))
    return isStored ? user : undefined
  }

  /** Ends a token, or its use for a site. */
  async #end(tokenId: number, blogId: number | undefined): Promise<void> {
    const { db, globals, log, now } = this.#options
    await db.write({ author: authorOf('the old endpoint refuses the token') }, (tx) =>
      recordRefusal(tx, globals, tokenId, { blogId, now: now() }),
    )
    log.info({ tokenId, blogId }, 'the old endpoint refuses a token that it has accepted before')
  }
}

/** The reason of a write that no user has requested, in the history. */
const authorOf = (label: string): Author => ({
  userId: null,
  tokenId: null,
  label,
  requestId: randomUUID(),
})

/** The caller of a request whose token is valid, but not stored yet: its body names the site. It may do nothing. */
const NOBODY: Caller = {
  tokenId: 0,
  tokenLabel: '',
  tokenExpiresAt: null,
  limits: { scope: 'all', sites: [] },
  user: { id: 0, login: '', isBlocked: true },
  membership: {
    blogId: -1,
    blog: undefined,
    rights: { administrator: false, superAdmin: false },
  },
}

const EVERYTHING = 'everything'

const PAUSED: TokenAnswer & { readonly answer: 'unknown' } = {
  answer: 'unknown',
  reason: 'has not answered',
  isOutage: true,
}

/** A full queue is no answer. */
function asNoAnswer(error: unknown): TokenAnswer {
  if (error instanceof AppError && error.code === 'service_busy') return PAUSED
  throw error
}

function noAnswer(
  { retryAfterSeconds }: { readonly retryAfterSeconds?: number },
  askPauseSeconds: number,
): AppError {
  return new AppError(
    'service_busy',
    'The old endpoint has to be asked about this token, and does not answer. Retry later (Retry-After).',
    { retry_after: retryAfterSeconds ?? askPauseSeconds },
  )
}

/** A question that this service has sent to itself. The start of the process looks for such an address. */
function cameBack(): AppError {
  return new AppError(
    'service_busy',
    'The question about this token has come back: LEGACY_URL leads to this service. Set it to the address of the old endpoint.',
    { retry_after: 60 },
  )
}
