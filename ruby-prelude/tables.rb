# Builds a large table while the snapshot is built. Ruby keeps all memory pages that its heap has ever had, and every interpreter gets a
# copy of them, so garbage is collected during the build.
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
