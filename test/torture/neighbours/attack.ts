import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TokenScope } from '../../../src/record/auth/token-scopes.ts'
import type { Tenant } from './tenant.ts'

/** A way in which one tenant may slow down the others. */
export type Attack = {
  readonly name: string
  /** The scope of the token that attacks [`all`]; the preparation has another one. */
  readonly scope?: TokenScope
  /** Creates what the attack needs, before the measurement. */
  prepare?(tenant: Tenant): Promise<unknown>
  /** Sends requests, about as many as a token may in a minute, until `over` returns true. */
  run(tenant: Tenant, over: () => boolean): Promise<unknown>
}

/** Maximum requests of an attack: a token may send 120 a minute, and the preparation has used some. */
export const REQUESTS = 90
export const MEGABYTE = 1024 * 1024

/** Sends one request after the other on each of several connections, until the attack is over. */
export async function flood(
  over: () => boolean,
  { atOnce, requests = REQUESTS }: { atOnce: number; requests?: number },
  send: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0
  const sendAll = async (): Promise<void> => {
    while (next < requests && !over()) {
      next += 1
      await send(next)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, sendAll))
}

export const items = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ url: `/${at}/`, title: `Item ${at}` }))

export const makeMenu = (tenant: Tenant, count: number) =>
  tenant.send('POST', '/menus', { name: tenant.name, slug: tenant.name, items: items(count) })

export async function putFrames(tenant: Tenant, markups: readonly string[]): Promise<void> {
  for (const [at, html] of markups.entries())
    await tenant.send('POST', '/frames', { slug: `${tenant.name}-${at}`, html, bake: false })
}

/** An insert of one of the frames that `putFrames` has created. */
export const embed = ({ name }: Tenant, at: number): string =>
  `<!-- svc/frame {"name":"${name}-${at}"} /-->`

/** Keeps connections open with an answer that is not read or a body that does not end, until the attack is over. */
export async function keepOpen(over: () => boolean, sockets: readonly Socket[]): Promise<void> {
  while (!over()) await sleep(100)
  for (const socket of sockets) socket.destroy()
}
