# Builds a table while the snapshot is built. Ruby keeps all pages that its heap ever had, and every interpreter has a copy of them, so
# garbage is collected on the way.
module Sandbox
  module Tables
    STEP = 16

    def self.make(entries)
      table = {}
      entries.each_slice(STEP) do |some|
        some.each { |entry| yield entry, table }
        GC.start
      end
      table.freeze
    end
  end
end
