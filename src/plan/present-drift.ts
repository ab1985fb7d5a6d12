import type { Drift } from './find-drift.ts'

/** A thing that differs, for reports: the step that would restore it, and who wrote the thing last. */
export function presentDrift({ step, writer }: Drift) {
  const { kind, name, action, from, to, diff } = step
  return {
    kind,
    name,
    action,
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(diff === undefined ? {} : { diff }),
    by: writer
      ? {
          user_id: writer.user_id,
          token_id: writer.token_id,
          label: writer.label,
          request_id: writer.request_id,
          at: writer.created_at,
          entry: writer.id,
        }
      : null,
  }
}
