import type { Tx } from '../../db/transaction.ts'
import { sha256Hex } from '../../host/hash.ts'
import { recordHistory, type ThingState } from '../../record/history/record-history.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { deleteOptions, lockOptions, writeOptions } from '../../wordpress/options/write-options.ts'
import { datasetOption } from './option-names.ts'

/**
 * Writes a data set, or deletes it.
 * @param text as it is stored; undefined deletes it
 * @returns the text before
 */
export async function writeDataset(
  tx: Tx,
  site: Site,
  name: string,
  text: string | undefined,
): Promise<string | undefined> {
  const option = datasetOption(name)
  const before = (await lockOptions(tx, site, [option])).get(option)
  if (before === text) return before
  if (text === undefined) deleteOptions(tx, site, [option])
  else writeOptions(tx, site, [{ name: option, value: text }], 'off')
  const action = text === undefined ? 'deleted' : before === undefined ? 'created' : 'replaced'
  recordHistory(tx, site, {
    kind: 'dataset',
    ref: name,
    action,
    before: stateOf(name, before),
    after: stateOf(name, text),
  })
  return before
}

/** Records a data set that another program has edited or deleted, unless it is as the last entry says. */
export async function recordEditedDataset(tx: Tx, site: Site, name: string): Promise<void> {
  const option = datasetOption(name)
  const state = stateOf(name, (await lockOptions(tx, site, [option])).get(option))
  recordHistory(tx, site, {
    kind: 'dataset',
    ref: name,
    action: 'edited',
    before: state,
    after: state,
  })
}

function stateOf(name: string, text: string | undefined): ThingState | undefined {
  if (text === undefined) return undefined
  return { name, fields: {}, content: { hash: sha256Hex(text), text: () => text } }
}
