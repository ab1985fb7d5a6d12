import { inject } from 'vitest'
import { WordPress } from './wordpress.ts'

/**
 * How answers of the old endpoint differ from right ones, see `compat/wordpress/old-endpoint/deviations.php`. `true` takes the default of the
 * deviation.
 */
export type Deviations = {
  /** Lists in the reverse order. */
  readonly order?: true
  /** `[]` where an empty `{}` is right. */
  readonly arrays?: true
  /** A warning of PHP before the JSON. */
  readonly notices?: true
  /** Ids as strings. */
  readonly ids?: true
  /** Fields that are left out, separated by `+` [`updated_by+assigned`]. */
  readonly missing?: string | true
  /** An additional field in each frame, menu and item. */
  readonly extra?: true
  /** Fields with another value, separated by `+` [`binds+name`]. */
  readonly value?: string | true
  /** Markup with CR LF instead of LF. */
  readonly markup?: true
  /** Milliseconds by which each answer is late [200]. */
  readonly slow?: number | true
  /** Probability of a 500 [1]. */
  readonly errors?: number | true
  /** A redirect to the login page. */
  readonly login?: true
  /** An HTML page with status 200. */
  readonly html?: true
  /** Writes in spite of `dry_run`. */
  readonly dry_run?: true
  /** 429 with `Retry-After: 1` for each N-th request of the token [1]. */
  readonly busy?: number | true
  /** Only requests of this family. */
  readonly on?: 'frames' | 'menus' | 'data' | 'pages' | 'media'
  /** Only requests with this method. */
  readonly method?: string
}

type OldTokenOptions = {
  readonly label?: string
  /** `YYYY-MM-DD HH:MM:SS`, GMT. */
  readonly expires_at_gmt?: string
  /** [a limit that no test reaches] */
  readonly requests_per_minute?: number
}

/** The endpoint inside the real WordPress that wp-frames replaces. All test files of a run share it. */
export type OldEndpoint = {
  /** Its address, without a slash at the end. */
  readonly url: string
  /** The address of the same endpoint at the path that wp-frames takes over, `/wp-json/svc/v1`. */
  readonly shadowedUrl: string
  /** The address of WordPress, without a slash at the end; it serves the host `net.test` for each `Host`. */
  readonly wordpressUrl: string
  /** Issues a token for a user. */
  token(login: string, options?: OldTokenOptions): Promise<string>
  revoke(token: string): Promise<void>
  /** Sets how all answers to a user deviate; `{}` ends it. For one request, send the header `X-Deviate`, see `deviationHeader`. */
  deviate(login: string, deviations: Deviations): Promise<void>
}

const UNREACHABLE_LIMIT = 1_000_000

export function oldEndpoint(): OldEndpoint {
  const servers = inject('compat')
  if ('problem' in servers) throw new Error(servers.problem)
  const { wordpressUrl } = servers
  const wordpress = new WordPress(wordpressUrl)
  return {
    url: `${wordpressUrl}/wp-json/svc-old/v1`,
    shadowedUrl: `${wordpressUrl}/wp-json/svc/v1`,
    wordpressUrl,
    token: (login, options) =>
      wordpress.ask('issue_old_token', {
        login,
        more: { requests_per_minute: UNREACHABLE_LIMIT, ...options },
      }),
    revoke: async (token) => void (await wordpress.ask('revoke_old_token', { token })),
    deviate: async (login, deviations) =>
      void (await wordpress.ask('set_old_deviations', { login, deviations })),
  }
}

/** The header that makes the answer to one request deviate. */
export function deviationHeader(deviations: Deviations): Record<string, string> {
  const written = Object.entries(deviations).map(([name, value]) =>
    value === true ? name : `${name}=${value}`,
  )
  return { 'X-Deviate': written.join(', ') }
}
