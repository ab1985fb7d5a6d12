/** Writes the tables of the code into the guides and the examples of settings. A test fails if one of them is not up to date. */
import { writeFileSync } from 'node:fs'
import { printedFiles } from './printed-files.ts'

for (const { path, printed } of printedFiles()) writeFileSync(path, printed)
