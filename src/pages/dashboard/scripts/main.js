// Begins what the dashboard does beyond links and forms. Everything works without it.
import { Application } from '@hotwired/stimulus'
import '@hotwired/turbo'
import { Copy } from 'dashboard/copy'
import { Editor } from 'dashboard/editor'
import { Menu } from 'dashboard/menu'
import { Passkey } from 'dashboard/passkey'
import { Refresh } from 'dashboard/refresh'
import { Upload } from 'dashboard/upload'

const application = Application.start()
application.register('copy', Copy)
application.register('editor', Editor)
application.register('menu', Menu)
application.register('passkey', Passkey)
application.register('refresh', Refresh)
application.register('upload', Upload)

export { application }
