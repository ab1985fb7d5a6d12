/** The runs of a property on a database: all in CI, a third otherwise, because each takes seconds. */
export const runsOf = (all: number): number =>
  process.env.CI === 'true' ? all : Math.ceil(all / 3)
