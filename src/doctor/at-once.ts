/** What one transaction of a remedy mends: locks are held shortly, and what is done stays done. */
export const FIX_BATCH_SIZE = 50
