// Begins what the dashboard does beyond links and forms. Everything works without it.
import { Application } from '@hotwired/stimulus'
import '@hotwired/turbo'
import { Copy } from 'dashboard/copy'
import { Menu } from 'dashboard/menu'
import { Passkey } from 'dashboard/passkey'
import { Refresh } from 'dashboard/refresh'

const application = Application.start()
application.register('copy', Copy)
application.register('menu', Menu)
application.register('passkey', Passkey)
application.register('refresh', Refresh)

export { application }
