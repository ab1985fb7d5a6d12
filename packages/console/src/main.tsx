import { render } from 'preact'
import { token } from './session.ts'
import { Shell } from './shell.tsx'
import { SignIn } from './sign-in.tsx'

function App() {
  // A new token gets a new shell, so nothing of the former caller remains.
  return token.value === undefined ? <SignIn /> : <Shell key={token.value} />
}

const root = document.getElementById('console')
// What the page says if this script does not run.
root?.replaceChildren()
if (root) render(<App />, root)
