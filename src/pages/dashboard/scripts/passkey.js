import { Controller } from '@hotwired/stimulus'

/** Creates a passkey on this device. Its form stays hidden if the browser does not support that. */
export class Passkey extends Controller {
  static targets = ['name', 'problem', 'button']

  connect() {
    if (globalThis.PublicKeyCredential?.parseCreationOptionsFromJSON) this.element.hidden = false
  }

  async add(event) {
    event.preventDefault()
    const words = this.buttonTarget.textContent
    this.buttonTarget.disabled = true
    this.buttonTarget.textContent = 'Waiting for your device…'
    this.problemTarget.hidden = true
    try {
      const options = await ask('/sign-in/passkey/new/question', {})
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
      const credential = await navigator.credentials.create({ publicKey })
      await ask('/sign-in/passkey/new', { answered: credential.toJSON(), name: this.nameTarget.value })
      location.assign(`${location.pathname}?done=passkey`)
    } catch (error) {
      this.buttonTarget.disabled = false
      this.buttonTarget.textContent = words
      this.problemTarget.hidden = false
      this.problemTarget.textContent = wordsOf(error)
    }
  }
}

function wordsOf({ name, message }) {
  if (name === 'NotAllowedError') return 'No passkey was created. Try again when you are ready.'
  if (name === 'InvalidStateError') return 'This device already has a passkey for you.'
  return message
}

async function ask(address, body) {
  const headers = { 'Content-Type': 'application/json' }
  const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })
  const type = answer.headers.get('content-type') ?? ''
  const values = type.startsWith('application/json') ? await answer.json() : {}
  if (!answer.ok) throw new Error(values.message ?? 'Something went wrong. Please try again in a moment.')
  return values
}
