import type { Coding } from '../publishing/static-copy-cache.ts'

/**
 * The coding to send of those that are there, by the client's weights (RFC 9110, section 12.5.3). Without any that it accepts, the
 * bytes as they are: better than an error.
 */
export function acceptedCoding(
  accepted: string | undefined,
  forms: { has(coding: Coding): boolean },
): Coding {
  if (!accepted) return 'identity'
  const weights = new Map<string, number>()
  for (const part of accepted.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(coding, weight === undefined ? 1 : Number(weight.slice(2)) || 0)
  }
  const weightOf = (coding: Coding) =>
    weights.get(coding) ?? (coding === 'identity' ? 0 : (weights.get('*') ?? 0))
  let best: Coding = 'identity'
  // The smallest comes last and wins where the client takes either.
  for (const coding of ['gzip', 'br'] as const) {
    const weight = weightOf(coding)
    if (weight > 0 && weight >= weightOf(best) && forms.has(coding)) best = coding
  }
  return best
}
