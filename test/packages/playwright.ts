export * from 'playwright-core'
