import type { Contender, ContenderName } from '../contender.ts'
import { prepareWordPress } from '../wordpress/prepare-wordpress.ts'
import { startWordPress } from '../wordpress/start-wordpress.ts'
import type { BenchSetup } from './bench-setup.ts'
import { startMinimal } from './start-minimal.ts'
import type { Undo } from './undo.ts'

/** Starts the chosen contenders besides the service, and returns them with the versions of their parts. */
export async function startContenders(
  setup: BenchSetup,
  asked: readonly ContenderName[],
  folder: string,
  undo: Undo,
) {
  const { database, service } = setup
  const isWordPress = asked.includes('wordpress') || asked.includes('cached')
  const parts = isWordPress ? await prepareWordPress() : undefined
  const contenders: Contender[] = []
  for (const name of asked) {
    if (name === 'service') contenders.push(service)
    else if (name === 'floor' || name === 'express')
      contenders.push(await startMinimal(name, setup, folder, undo))
    else if (parts) contenders.push(await startWordPress(name, parts, database, folder, undo))
  }
  const versions = { node: process.versions.node, database: database.version, ...parts?.versions }
  return { contenders, versions }
}
