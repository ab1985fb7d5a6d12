/** What one transaction of a remedy mends: locks are held shortly, and what is done stays done. */
export const AT_ONCE = 50
