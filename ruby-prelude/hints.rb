# Returns one concrete way to fix an exception, or nil.
module Sandbox
  module Hints
    UNWANTED = %i[put putc].freeze
    LIST = "An answer that is a list has its rows under \"data\", and list(path) gives all of them; " \
           "each over a hash yields pairs of key and value."
    EXAMPLES = {
      "list" => "list(path, **filters), for example list \"/products\".",
      "rehearse" => "rehearse(task, event: \"order.paid\", data: order); a task without events takes neither.",
      **%w[get post patch delete].to_h { |verb| [verb, "#{verb}(path, **params), for example #{verb} \"/products\"."] }
    }.freeze
    # Names that programs in other environments use for API clients and their methods.
    CALL_WORDS = %w[get post patch delete fetch request client api http call].freeze
    CALLS = "The calls are get, list, post, patch and delete, for example get(\"/products\")."
    TOOLS_ARRAY = "tools is an array: tools.find { |tool| tool[:path] == \"/products\" } or tools.search(\"…\") finds an operation."
    DURATIONS = %i[second seconds minute minutes hour hours day days week weeks month months year years].freeze
    CALENDAR = "Durations of Rails are not here; in_zone.to_date - 7, in_zone.to_date.prev_month and Time.now - 3600 are, and day, week and month for filters."
    ZONES = "Time takes no names of zones: local(\"2026-11-30 09:00\", zone: \"America/New_York\") gives the moment, in_zone(time, zone: …) its reading."
    OWNERS = { Resources => "resources", Resource => "The resource" }.freeze

    def self.for(error, code, line)
      case error
      when RefusedError then for_refusal(error.error)
      when NoMethodError then for_method(error, code, line) || for_call(error)
      when NameError then did_you_mean(Spelling.nearest(error.name, names(error))) || for_call(error)
      when KeyError then did_you_mean(nearest_key(error)&.inspect)
      when TypeError then for_type(error, code, line)
      when ArgumentError then for_arguments(error)
      end
    rescue StandardError
      nil
    end

    # Names the parameters that a refused call should change, if the API's error names them.
    def self.for_refusal(error)
      named = Hash === error ? [error["param"], *error["errors"]&.keys].compact.uniq.first(5) : []
      fault = named.empty? ? "" : "The error is about #{named.map(&:inspect).join(", ")}. "
      "#{fault}If you expect a refusal, read [\"error\"] first."
    end

    def self.for_method(error, code, line)
      receiver = error.receiver
      missed = missed(error, code, line) if receiver.nil?
      return missed if missed
      if Hash === receiver
        return "Use [\"#{error.name}\"] to read this key." if Answer === receiver && receiver.key?(error.name)
        return "Use [:#{error.name}] to read this key." if receiver.has_key?(error.name)
      end
      return for_list(error.name) if List === receiver
      return TOOLS_ARRAY if receiver.equal?(TOOLS)
      return CALENDAR if Numeric === receiver && DURATIONS.include?(error.name)
      did_you_mean(Spelling.nearest(error.name, receiver.methods | (error.private_call? ? receiver.private_methods - UNWANTED : [])))
    end

    def self.for_call(error)
      of_itself = !(NoMethodError === error) || error.private_call?
      CALLS if of_itself && CALL_WORDS.include?(error.name.to_s.downcase)
    end

    def self.for_list(name)
      return "list gives the rows themselves; .each, .map and .first work on it." if %i[data has_more].include?(name)
      return "list(…).to_a.#{name} works on all rows at once." if Array.method_defined?(name)
      did_you_mean(Spelling.nearest(name, List.instance_methods))
    end

    # Explains a nil by a missing key, but only if the text of the program shows that the nil came from that key.
    def self.missed(error, code, line)
      source = NilSource.new(error, code, line)
      key, hash = source.find
      unless hash
        taken = source.nothing
        return taken && "#{taken} is nil where nothing is there or fits."
      end
      owner = OWNERS[hash.class] || "The answer"
      near = Spelling.nearest(key, hash.keys)
      return "#{owner} has no key #{key.inspect}; did you mean #{near.inspect}?" if near
      known = hash.keys.first(12).map(&:inspect).join(", ")
      "#{owner} has no key #{key.inspect}; it has #{known.empty? ? "no keys" : known}."
    end

    def self.for_type(error, code, line)
      message = error.message
      if message.include?("String into Integer") || message.include?("Symbol into Integer")
        return code.lines[line.to_i - 1].to_s.match?(/\btools\s*\[/) ? TOOLS_ARRAY : LIST
      end
      missed = missed(error, code, line) if message.include?("nil")
      return missed if missed
      "Convert with to_s, or write \"\#{…}\"." if message.match?(/into String\z/)
    end

    def self.for_arguments(error)
      return ZONES if error.message.include?("expected for utc_offset")
      EXAMPLES[error.backtrace&.first.to_s[/[`'#](\w+)'\z/, 1]]
    end

    def self.names(error)
      own = Object.private_instance_methods(false)
      constant = error.name.to_s.match?(/\A[A-Z]/)
      constant ? Object.constants : error.local_variables + own + (HIDDEN - UNWANTED) + %i[puts p print]
    end

    def self.did_you_mean(name)
      return unless name
      "Did you mean #{name}?"
    end

    def self.nearest_key(error)
      keys = error.receiver.keys
      near = Spelling.nearest(error.key, keys)
      keys.find { |key| key.to_s == near } if near
    end
  end
end
