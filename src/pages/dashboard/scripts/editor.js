import { Controller } from '@hotwired/stimulus'

/** A text area of HTML that becomes an editor. What it is made of is loaded with the first one on a page. */
export class Editor extends Controller {
  static targets = ['tools', 'paper', 'source', 'toggle', 'note']

  async connect() {
    const { Writing } = await import('dashboard/writing')
    if (!this.element.isConnected || this.writing) return
    this.Writing = Writing
    if (Writing.keeps(this.sourceTarget.value)) this.write()
    else
      this.noteTarget.textContent =
        'This text has parts that the editor cannot show, such as a table, so it is written as HTML.'
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
    else this.noteTarget.textContent = 'The editor would lose parts of this text, such as a table.'
  }

  press({ params: { command } }) {
    this.writing?.press(command)
  }
}
