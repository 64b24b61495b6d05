// The button stays hidden if the browser does not support passkeys.
const place = document.querySelector('.passkey')
const button = place.querySelector('button')
const problem = place.querySelector('.problem')

if (globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON) {
  button.hidden = false
  button.addEventListener('click', signIn)
} else place.hidden = true

async function signIn() {
  const words = button.textContent
  button.disabled = true
  button.textContent = 'Waiting for your device…'
  problem.hidden = true
  try {
    const options = await ask('/sign-in/passkey/question', {})
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
    const credential = await navigator.credentials.get({ publicKey })
    const { path } = await ask('/sign-in/passkey', { answered: credential.toJSON(), next: place.dataset.next })
    location.assign(path)
  } catch (error) {
    button.disabled = false
    button.textContent = words
    problem.hidden = false
    problem.textContent =
      error.name === 'NotAllowedError' ? 'No passkey was used. Try again, or use your password.' : error.message
  }
}

async function ask(address, body) {
  const headers = { 'Content-Type': 'application/json' }
  const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })
  const type = answer.headers.get('content-type') ?? ''
  const values = type.startsWith('application/json') ? await answer.json() : {}
  if (!answer.ok) throw new Error(values.message ?? 'Something went wrong. Please try again in a moment.')
  return values
}
