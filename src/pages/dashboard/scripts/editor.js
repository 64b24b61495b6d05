import { Controller } from '@hotwired/stimulus'

/** A text area of HTML that becomes an editor. What it is made of is loaded with the first one on a page. */
export class Editor extends Controller {
  static targets = ['tools', 'paper', 'source', 'toggle', 'note', 'picture', 'words', 'offer']

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
    this.writing = new this.Writing(this.paperTarget, this.sourceTarget)
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
    const other = this.pictureTarget.querySelector('input[type="url"]')
    const src = other.value.trim() || choice?.value
    if (!src) return this.choose()
    this.writing.insertPicture(src, this.wordsTarget.value)
    if (choice) choice.checked = false
    other.value = ''
    this.wordsTarget.value = ''
    this.pictureTarget.open = false
  }
}
