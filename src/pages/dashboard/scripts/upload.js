import { Controller } from '@hotwired/stimulus'

/** Uploads chosen or dropped files directly to the file store and shows their progress. */
export class Upload extends Controller {
  static targets = ['input', 'list', 'form', 'drop']
  static values = { start: String, csrf: String }

  connect() {
    this.dropTarget.hidden = false
    this.formTarget.hidden = true
  }

  over(event) {
    event.preventDefault()
    this.dropTarget.classList.add('over')
  }

  leave() {
    this.dropTarget.classList.remove('over')
  }

  drop(event) {
    event.preventDefault()
    this.leave()
    this.send([...event.dataTransfer.files])
  }

  choose({ target }) {
    this.send([...target.files])
    target.value = ''
  }

  async send(files) {
    let sent = 0
    for (const file of files) if (await this.sendOne(file)) sent += 1
    if (sent > 0) window.Turbo.visit(`${location.pathname}?done=created`)
  }

  /** Returns the id of the file, or null if it was refused. */
  async sendOne(file) {
    const line = this.lineOf(file)
    try {
      const {
        upload_url: url,
        upload_headers: headers,
        done,
      } = await this.post(this.startValue, { filename: file.name, size: file.size, type: file.type })
      await put(url, headers, file, (share) => line.show(share))
      const { id } = await this.post(done, {})
      line.say('Uploaded')
      return id
    } catch (error) {
      line.fail(error.message)
      return null
    }
  }

  async post(address, fields) {
    return post(address, { csrf: this.csrfValue, ...fields })
  }

  lineOf({ name }) {
    const item = document.createElement('li')
    const label = document.createElement('span')
    const bar = document.createElement('progress')
    const state = document.createElement('span')
    label.textContent = name
    bar.max = 1
    bar.value = 0
    bar.setAttribute('aria-label', `Progress of ${name}`)
    item.append(label, bar, state)
    this.listTarget.append(item)
    return {
      show(share) {
        bar.value = share
        state.textContent = `${Math.round(share * 100)}%`
      },
      say(words) {
        state.textContent = words
      },
      fail(words) {
        item.classList.add('failed')
        bar.remove()
        state.textContent = words
      },
    }
  }
}

/** Posts fields and returns the response. Rejects with the message of a refusal. */
export async function post(address, fields) {
  const body = new URLSearchParams(fields)
  const response = await fetch(address, { method: 'POST', body, headers: { Accept: 'application/json' } })
  const answer = await response.json().catch(() => ({}))
  if (!response.ok) throw new Error(answer.message ?? 'The file could not be uploaded.')
  return answer
}

/** Uses XMLHttpRequest because fetch does not report upload progress. */
export function put(url, headers, file, progress) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('PUT', url)
    for (const [name, value] of Object.entries(headers ?? {})) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded, total }) => progress(total > 0 ? loaded / total : 1))
    request.addEventListener('load', () =>
      request.status < 300 ? resolve() : reject(new Error('The file was not accepted. Try again.')),
    )
    request.addEventListener('error', () => reject(new Error('The connection was lost. Try again.')))
    request.send(file)
  })
}
