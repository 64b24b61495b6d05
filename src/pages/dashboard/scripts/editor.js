import { Controller } from '@hotwired/stimulus'
import { watchNear } from 'dashboard/near'
import { post, put } from 'dashboard/upload'

/** Turns a text area with HTML into an editor, whose code is loaded when the text area comes near the window or gets the focus. */
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

  connect() {
    this.beginning = null
    this.toggleTarget.hidden = true
    this.explain('')
    this.unwatch = watchNear(this.element, (isNear) => isNear && this.begin())
  }

  disconnect() {
    this.unwatch()
    this.stop()
  }

  /** Called when the text area comes near the window or gets the focus. It accepts typing until the editor has loaded. */
  begin() {
    this.beginning ??= this.load()
  }

  async load() {
    try {
      this.Writing ??= (await import('dashboard/writing')).Writing
    } catch {
      this.beginning = null
      return this.explain('The editor could not be loaded, so this text is written as HTML, such as <p> and <h2>.')
    }
    if (this.isComposing)
      await new Promise((done) => this.sourceTarget.addEventListener('compositionend', done, { once: true }))
    if (!this.element.isConnected || this.writing) return
    this.unwatch()
    if (this.Writing.keeps(this.sourceTarget.value)) this.write()
    else {
      this.show(false)
      this.explain('This text contains something the editor cannot show, such as a table, so it is shown as HTML.')
    }
  }

  /** Tracks IME composition, because replacing the text area would interrupt it. */
  compose({ type }) {
    this.isComposing = type === 'compositionstart'
  }

  write() {
    const source = this.sourceTarget
    const [isFocused, cursor] = [document.activeElement === source, source.selectionStart]
    this.writing = new this.Writing(this.paperTarget, source, (file) => this.send(file))
    this.show(true)
    if (isFocused) this.writing.focusAt(cursor)
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
    this.explain(writes ? '' : 'Written as HTML, such as <p>, <h2>, <ul> and <a>.')
  }

  explain(words) {
    this.noteTarget.textContent = words
  }

  toggle() {
    if (this.writing) this.stop()
    else if (this.Writing.keeps(this.sourceTarget.value)) this.write()
    else this.explain('The editor would remove parts of this text, such as a table.')
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

  /** Uploads a picture that was chosen, dropped or pasted, and asks for its alternative text before it is inserted. */
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

  /** In a list of texts, requests the picture chooser from the server first. */
  choose() {
    if (!this.hasPictureTarget) return this.offerTarget.click()
    this.pictureTarget.open = true
    this.pictureTarget.querySelector('input')?.focus()
  }

  /** While the text is edited as HTML, the form submits and the server appends the picture. */
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
