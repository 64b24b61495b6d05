import { Upload } from 'dashboard/upload'

/** A place in a form to drop files: each is uploaded, and then chosen in the form. */
export class Drop extends Upload {
  static values = { ...Upload.values, name: String }
  static targets = ['input', 'list', 'drop', 'show']

  connect() {
    this.dropTarget.hidden = false
  }

  async send(files) {
    let sent = 0
    for (const file of files) {
      const id = await this.sendOne(file)
      if (!id) continue
      const chosen = document.createElement('input')
      Object.assign(chosen, { type: 'hidden', name: this.nameValue, value: id })
      // After those that were chosen before, whose order it does not change.
      this.element.closest('[data-part]').append(chosen)
      sent += 1
    }
    if (sent > 0) this.showTarget.click()
  }
}
