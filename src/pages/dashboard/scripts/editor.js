import { Controller } from '@hotwired/stimulus'
import { post, put } from 'dashboard/upload'

/** A text area of HTML that becomes an editor. What it is made of is loaded with the first one on a page. */
export class Editor extends Controller {
  static targets = [
    'tools',
    'paper',
    'source',
    'toggle',
    'note',
    'picture',
    'words',
    'offer',
    'decorates',
    'missing',
    'disk',
    'sending',
  ]

  async connect() {
    const { Writing } = await import('dashboard/writing')
    if (!this.element.isConnected || this.writing) return
    this.Writing = Writing
    if (Writing.keeps(this.sourceTarget.value)) this.write()
    else
      this.noteTarget.textContent =
        'This text contains something the editor cannot show, such as a table, so it is shown as HTML.'
  }

  disconnect() {
    this.stop()
  }

  write() {
    this.writing = new this.Writing(this.paperTarget, this.sourceTarget, (file) => this.send(file))
    this.show(true)
  }

  stop() {
    this.writing?.destroy()
    this.writing = null
    this.show(false)
  }

  show(writes) {
    this.toolsTarget.hidden = !writes
    this.paperTarget.hidden = !writes
    this.sourceTarget.hidden = writes
    this.toggleTarget.hidden = false
    this.toggleTarget.textContent = writes ? 'Write HTML' : 'Write with the editor'
    this.noteTarget.hidden = writes
  }

  toggle() {
    if (this.writing) this.stop()
    else if (this.Writing.keeps(this.sourceTarget.value)) this.write()
    else this.noteTarget.textContent = 'The editor would remove parts of this text, such as a table.'
  }

  press({ params: { command } }) {
    if (command === 'picture') this.choose()
    else this.writing?.press(command)
  }

  diskTargetConnected(place) {
    place.hidden = false
  }

  fromDisk({ target }) {
    if (target.files[0]) this.send(target.files[0])
    target.value = ''
  }

  /** Uploads a picture that was chosen, dropped or pasted, and asks for its words; then it is put where the cursor is. */
  async send(file) {
    if (!this.hasPictureTarget) return this.choose()
    this.pictureTarget.open = true
    const say = (words) => {
      this.sendingTarget.textContent = words
    }
    try {
      const { name: filename, size, type } = file
      const { start, csrf } = this.pictureTarget.dataset
      const begun = await post(start, { csrf, filename, size, type })
      await put(begun.upload_url, begun.upload_headers, file, (share) => say(`${Math.round(share * 100)}%`))
      const { url, type: kind } = await post(begun.done, { csrf })
      if (!kind?.startsWith('image/') || !url) throw new Error('This is not a picture.')
      this.otherAddress().value = url
      say(`${filename} is uploaded. Now say what it shows.`)
      this.wordsTarget.focus()
    } catch (error) {
      say(error.message)
    }
  }

  otherAddress() {
    return this.pictureTarget.querySelector('input[type="url"]')
  }

  /** In a list the pictures come from the server first, with the focus. */
  choose() {
    if (!this.hasPictureTarget) return this.offerTarget.click()
    this.pictureTarget.open = true
    this.pictureTarget.querySelector('input')?.focus()
  }

  /** Where the text is written as HTML, the server adds the picture. */
  insert(event) {
    if (!this.writing) return
    event.preventDefault()
    const choice = this.pictureTarget.querySelector('input[type="radio"]:checked')
    const other = this.otherAddress()
    const src = other.value.trim() || choice?.value
    if (!src) return this.choose()
    const words = this.wordsTarget.value.trim()
    const isMissing = words === '' && !this.decoratesTarget.checked
    this.missingTarget.hidden = !isMissing
    if (isMissing) return this.wordsTarget.focus()
    this.writing.insertPicture(src, words)
    this.decoratesTarget.checked = false
    this.sendingTarget.textContent = ''
    if (choice) choice.checked = false
    other.value = ''
    this.wordsTarget.value = ''
    this.pictureTarget.open = false
  }
}
