import type { RequestHandler } from 'express'

const BODY = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Not found</title></head>
<body><h1>Not found</h1><p>There is no page at this address.</p></body>
</html>
`

/** The answer for every address without a page that visitors may see. */
export const notFound: RequestHandler = (_request, response) => {
  response.status(404).type('html').send(BODY)
}
