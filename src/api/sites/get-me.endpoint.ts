import { z } from 'zod'
import { TOKEN_SCOPES } from '../../auth/token-scopes.ts'
import { defineEndpoint } from '../endpoint.ts'
import { mayManageNetwork } from '../network/authorize-network.ts'

export const getMeEndpoint = defineEndpoint({
  on: 'caller',
  name: 'getMe',
  method: 'get',
  path: '/me',
  summary: 'Read whose token this is, and what it is limited to',
  response: z.object({
    user: z.object({
      id: z.int().meta({ examples: [2] }),
      login: z.string().meta({ examples: ['alice'] }),
    }),
    token: z.object({
      id: z.int(),
      label: z.string().meta({ examples: ['deploy'] }),
      scope: z.enum(TOKEN_SCOPES).describe('What it may do at most.'),
      sites: z.array(z.int()).nullable().describe('The only sites it may be used for; null: all.'),
      expires_at: z
        .string()
        .nullable()
        .meta({
          description: 'GMT; null if it does not expire.',
          examples: ['2026-03-01 09:30:00'],
        }),
    }),
    may_manage_network: z.boolean().describe('Whether it may be used for `/network`.'),
  }),
  async read({ db, globals, caller }) {
    const { user, tokenId: id, tokenLabel: label, tokenExpiresAt: expires_at, limits } = caller
    const { scope, sites } = limits
    return {
      user: { id: user.id, login: user.login },
      token: { id, label, scope, sites: sites && [...sites], expires_at },
      may_manage_network: await mayManageNetwork(db, globals, caller),
    }
  },
})
