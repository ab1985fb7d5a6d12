import { useSignal } from '@preact/signals'
import type { ServiceError } from '../../client/src/index.ts'
import { asServiceError } from './client.ts'

/** What somebody has asked for: whether it runs, and why it failed. */
export function useTask() {
  const error = useSignal<ServiceError | undefined>(undefined)
  const isRunning = useSignal(false)
  const run = async (task: () => Promise<unknown> | undefined): Promise<void> => {
    error.value = undefined
    isRunning.value = true
    try {
      await task()
    } catch (caught) {
      error.value = asServiceError(caught)
    } finally {
      isRunning.value = false
    }
  }
  return { error: error.value, isRunning: isRunning.value, run }
}
