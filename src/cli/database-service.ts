import type { Endpoint } from '../api/endpoint.ts'
import { examinationQueue } from '../api/endpoints/findings.ts'
import { ReadQueue } from '../api/run/read-queue.ts'
import { type CallerAccess, type Host, run } from '../api/run/run.ts'
import { UserQueues } from '../api/run/user-queues.ts'
import type { Caller } from '../auth/authenticate.ts'
import { UNLIMITED } from '../auth/token-scopes.ts'
import { RequestCoalescer } from '../concurrency/request-coalescer.ts'
import type { Precondition } from '../preconditions.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { EndpointInput, Service } from './call-endpoint.ts'
import type { CliServices } from './cli-context.ts'
import type { Answers, CalledEndpoint } from './endpoints.ts'
import { getAuthorId } from './get-user.ts'
import { findRequestedSites, getSite } from './sites/requested-sites.ts'
import type { AddressedSite } from './sites/site-options.ts'
import { COMMAND_LABEL } from './with-services.ts'

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

type DatabaseInput = EndpointInput & { readonly precondition?: Precondition | undefined }

/** A service in this process, which also takes the conditions of a request. */
type DatabaseService = Omit<Service, 'callSite'> & {
  callSite<Body extends object>(
    site: AddressedSite,
    endpoint: CalledEndpoint<Endpoint & Answers<Body>>,
    input?: DatabaseInput,
    userId?: number,
  ): Promise<Body>
}

/** The endpoints on the database of this process, called as the operator. A write waits for its effects. */
export function databaseService(services: CliServices): DatabaseService {
  const { config, log, db } = services
  const host = operatorsHost(services)
  const call = async <Body extends object>(
    called: CalledEndpoint<Endpoint & Answers<Body>>,
    access: CallerAccess,
    { params = {}, query = {}, body, precondition, signal }: DatabaseInput = {},
  ): Promise<Body> => {
    const { caller } = access
    const open = async () => ({ ...access, body })
    const sent = { caller, requestId: undefined, params, query, precondition, signal, open }
    const { answer } = await run(host, await called.load(), sent)
    return JSON.parse(answer.bytes.toString())
  }
  return {
    config,
    log,
    timings: db.timings,
    callSite: (site: Site, called, input, userId) =>
      call(called, { site, rights: OPERATOR_RIGHTS, caller: operator(userId) }, input),
    callNetwork: (called, input) => call(called, { caller: operator() }, input),
    getSite: (ref) => getSite(services, ref),
    findSites: (options) => findRequestedSites(services, options),
    getAuthorId: (login) => getAuthorId(services, login),
    database: services,
  }
}

function operatorsHost(services: CliServices): Host {
  const { api } = services.db.timings
  return {
    ...services,
    storedMbPerSite: services.config.storedMbPerSite,
    effectsBudgetMs: Number.POSITIVE_INFINITY,
    now: () => new Date(),
    coalescer: new RequestCoalescer(),
    readQueue: new ReadQueue(api),
    userQueues: new UserQueues(api),
    examinations: examinationQueue(api.examinationWaitMs),
    // Only requests with a key count.
    limits: { assertMayKeep: async () => {}, countKept: async () => {} },
  }
}
