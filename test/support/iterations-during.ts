/** How many iterations of the event loop pass while this work goes on: what others could do meanwhile. */
export async function iterationsDuring<T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly iterations: number }> {
  let iterations = 0
  let hasEnded = false
  const count = () => {
    iterations += 1
    if (!hasEnded) setImmediate(count)
  }
  setImmediate(count)
  try {
    const result = await work()
    return { result, iterations }
  } finally {
    hasEnded = true
  }
}
