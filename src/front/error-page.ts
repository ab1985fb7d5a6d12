import type { Response } from 'express'
import { REVALIDATE } from './cache-headers.ts'

const PAGES = {
  400: ['Bad request', 'This is not an address of a page.'],
  404: ['Not found', 'There is no page at this address.'],
  405: ['Method not allowed', 'Pages can only be read.'],
  410: ['Gone', 'This site is no longer available.'],
  500: ['Something went wrong', 'The page could not be made. Please try again later.'],
  503: [
    'Not available right now',
    'The page cannot be shown at the moment. Please try again in a few seconds.',
  ],
} as const

/** Sends a small page that says why there is none. It shows nothing of what was asked for. */
export function sendErrorPage(response: Response, status: keyof typeof PAGES): void {
  const [title, text] = PAGES[status]
  response
    .status(status)
    .set('Cache-Control', status >= 500 ? 'no-store' : REVALIDATE)
    .type('html')
    .send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>body{font:1.1em/1.5 system-ui,sans-serif;margin:15vh auto;max-width:32em;padding:0 1em}</style>
</head>
<body>
<h1>${title}</h1>
<p>${text}</p>
</body>
</html>
`)
}
