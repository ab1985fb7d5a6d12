import { type Endpoint, WithEffects } from '../api/endpoint.ts'
import { examinationQueue } from '../api/findings/examinations.ts'
import { runSent } from '../api/run/run-sent.ts'
import type { Caller } from '../auth/authenticate.ts'
import { UNLIMITED } from '../auth/token-scopes.ts'
import type { Precondition } from '../preconditions.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { AnswerOf, EndpointInput, Service } from './call-endpoint.ts'
import type { CliServices } from './cli-context.ts'
import type { Answers, CalledEndpoint } from './endpoints.ts'
import { getAuthorId } from './get-user.ts'
import { findRequestedSites, getSite } from './sites/requested-sites.ts'
import type { AddressedSite } from './sites/site-options.ts'
import { COMMAND_LABEL } from './with-services.ts'

const NOTHING = { params: {}, query: {}, body: undefined }

/** The operator has access to the database, and may do everything. */
const OPERATOR_RIGHTS = { administrator: true, superAdmin: true }

/** The operator, as the caller of an endpoint: without a token, and without a user unless one is named as the author. */
const operator = (userId = 0): Caller => ({
  tokenId: 0,
  tokenLabel: COMMAND_LABEL,
  tokenExpiresAt: null,
  limits: UNLIMITED,
  user: { id: userId, login: '', isBlocked: false },
  membership: { blogId: 0, blog: undefined, rights: OPERATOR_RIGHTS },
})

/** A service in this process, which also takes the conditions of a request. */
type DatabaseService = Omit<Service, 'callSite'> & {
  callSite<Body extends object>(
    site: AddressedSite,
    endpoint: CalledEndpoint<Endpoint & Answers<Body>>,
    input?: EndpointInput & { readonly precondition?: Precondition | undefined },
    userId?: number,
  ): Promise<Body>
}

/** The endpoints on the database of this process, called as the operator. A write waits for its effects. */
export function databaseService(services: CliServices): DatabaseService {
  const { db, globals, config, log, changes, webhookSender } = services
  return {
    config,
    log,
    timings: db.timings,
    callSite: async (site: Site, called, input, userId) => {
      const endpoint = await called.load()
      const handled = await runSent(endpoint, {
        ...services,
        caller: operator(userId),
        rights: OPERATOR_RIGHTS,
        storedMbPerSite: config.storedMbPerSite,
        effectsBudgetMs: Number.POSITIVE_INFINITY,
        examinations: examinationQueue(db.timings.api.examinationWaitMs),
        now: () => new Date(),
        site,
        precondition: undefined,
        setEtag: () => {},
        ...NOTHING,
        ...input,
      })
      const answer =
        handled instanceof WithEffects ? await handled.apply(services.executor, site) : handled
      return answer as AnswerOf<typeof called>
    },
    callNetwork: async (called, input) => {
      const endpoint = await called.load()
      const now = () => new Date()
      const feed = { changes, webhookSender }
      const call = { db, globals, ...feed, now, caller: operator(), ...NOTHING, ...input }
      return (await runSent(endpoint, call)) as AnswerOf<typeof called>
    },
    getSite: (ref) => getSite(services, ref),
    findSites: (options) => findRequestedSites(services, options),
    getAuthorId: (login) => getAuthorId(services, login),
    database: services,
  }
}
