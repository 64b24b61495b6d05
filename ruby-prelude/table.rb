# Implements `table(rows, "id", "amount")`, which returns rows as text for a model: a header, and one line per row.
module Sandbox
  module Table
    SEPARATOR = "|"
    ESCAPES = { "\\" => "\\\\", SEPARATOR => "\\|", "\n" => "\\n", "\r" => "\\r" }.freeze
    MOST_COLUMNS = 200
    ROWS = "table takes rows: an array of hashes, or a list"

    module_function

    def text(given, columns)
      rows = rows(given)
      columns = columns.empty? ? rows.flat_map(&:keys).uniq : columns.flatten
      if columns.size > MOST_COLUMNS
        raise ArgumentError, "table takes at most #{MOST_COLUMNS} columns, not #{columns.size}; name those to show, as in table(rows, \"id\", \"amount\")"
      end
      names = columns.map { |column| column.to_s.split(".") }
      [columns.join(SEPARATOR), *rows.map { |row| names.map { |path| cell(value(row, path)) }.join(SEPARATOR) }].join("\n")
    end

    def rows(given)
      raise ArgumentError, "#{ROWS}, not #{Plain::CLASS.bind_call(given)}" unless Enumerable === given
      given = given["data"] if Answer === given && Array === given.fetch("data", nil)
      given = [given] if Hash === given
      given.each_with_index.map do |row, place|
        Hash === row ? row : raise(ArgumentError, "#{ROWS}; row #{place} is #{Plain::CLASS.bind_call(row)}")
      end
    end

    # Returns the value at a path, such as `customer.email` of an expanded customer.
    def value(row, path)
      path.reduce(row) do |held, name|
        next unless Hash === held
        held.fetch(name) { held.fetch(name.to_sym) { held[name] } }
      end
    end

    def cell(value)
      text = case value
             when nil then ""
             when String then value
             when Symbol, Integer, Float, true, false then value.to_s
             else plain(value)
             end
      text.gsub(/[\\|\n\r]/, ESCAPES)
    end

    def plain(value)
      shown = Plain.new("table").convert(value)
      String === shown ? shown : JSON.generate(shown)
    end
  end
end
