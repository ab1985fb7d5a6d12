/** A figure of a network or site of one size. */
export type SizedValue = { readonly size: number; readonly value: number }

/** How a figure grows. */
export type FittedGrowth = {
  /** Of the size, between the two largest measured ones: 0 for what does not grow, 1 for what is in proportion. */
  readonly exponent: number
  /** The figure at a larger size. */
  readonly estimate: number
}

/**
 * Fits the growth between the two largest sizes. A figure that grows in proportion or less has a fixed part and one for each item; one that grows
 * faster continues with its exponent.
 * @returns undefined if there are not two sizes
 */
export function fitGrowth(values: readonly SizedValue[], size: number): FittedGrowth | undefined {
  const [small, large] = values.slice(-2)
  if (!small || !large || small.value <= 0 || large.value <= 0) return undefined
  const exponent = Math.log(large.value / small.value) / Math.log(large.size / small.size)
  const each = (large.value - small.value) / (large.size - small.size)
  const linear = large.value + Math.max(0, each) * (size - large.size)
  const estimate = exponent <= 1 ? linear : large.value * (size / large.size) ** exponent
  return { exponent, estimate }
}
