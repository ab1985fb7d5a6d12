import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'

import { type TokenLimits, UNLIMITED } from '../../src/record/auth/token-scopes.ts'
import { issueTokenFor } from './api.ts'
import type { TestNetwork } from './network.ts'

type Result = Awaited<ReturnType<Client['callTool']>>

/** A client of the MCP server. */
export type McpSession = {
  readonly client: Client
  /** The result of a tool; throws if it is an error. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields that the endpoint's response has
  call(name: string, sent?: Record<string, unknown>): Promise<any>
  /** The code and the fields of a tool's error; throws if it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: see above
  fail(name: string, sent?: Record<string, unknown>): Promise<any>
  close(): Promise<void>
}

/** The protocol that a client speaks: that of 2026-07-28, or that of 2025 with a handshake. */
export type McpEra = 'modern' | 'legacy'

/**
 * Connects the SDK's client to the endpoint of an API.
 * @param query what the client chooses: `tools=frames,menus` [all tools]
 */
export function connectMcp(
  url: string,
  token: string,
  era: McpEra = 'modern',
  query = 'tools=all',
): Promise<McpSession> {
  const requestInit = { headers: { Authorization: `Bearer ${token}` } }
  const address = new URL(`${url}/mcp?${query}`)
  return openSession(new StreamableHTTPClientTransport(address, { requestInit }), era)
}

/** Connects the SDK's client over a transport. */
export async function openSession(transport: Transport, era: McpEra): Promise<McpSession> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    era === 'modern' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
  )
  await client.connect(transport)
  const call = (name: string, sent: Record<string, unknown>) =>
    client.callTool({ name, arguments: sent })
  return {
    client,
    call: async (name, sent = {}) => {
      const result = await call(name, sent)
      if (result.isError) throw new Error(textOf(result))
      return resultOf(result)
    },
    fail: async (name, sent = {}) => {
      const result = await call(name, sent)
      if (!result.isError) throw new Error(`${name} succeeded: ${textOf(result)}`)
      return markedData(textOf(result))
    },
    close: () => client.close(),
  }
}

/** The data of a result. */
export const resultOf = (result: Result): unknown => markedData(textOf(result))

/** The text of a result. */
export function textOf({ content }: Result): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
}

/** The data between the two lines that mark it. */
export function markedData(text: string): unknown {
  const [, boundary = '', json = 'null'] = text.split('\n')
  if (!boundary.startsWith('DATA ') || text.split(boundary).length !== 3)
    throw new Error(`not marked: ${text}`)
  return JSON.parse(json)
}

/** A new token of the user with this login, with limits. */
export async function issueLimited(
  network: TestNetwork,
  login: string,
  limits: Partial<TokenLimits> = {},
): Promise<string> {
  return issueTokenFor(network, login, { limits: { ...UNLIMITED, ...limits } })
}
