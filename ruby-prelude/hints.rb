# One concrete repair for an exception, or nil.
module Sandbox
  module Hints
    UNWANTED = %i[put putc].freeze
    LIST = "An answer that is a list has its rows under \"data\"; each over a hash yields pairs of key and value."

    def self.for(error, locals: [])
      case error
      when NoMethodError then for_method(error)
      when NameError then did_you_mean(Spelling.nearest(error.name, names(error, locals)))
      when KeyError then did_you_mean(nearest_key(error)&.inspect)
      when TypeError then for_type(error)
      when ArgumentError then for_arguments(error)
      end
    rescue StandardError
      nil
    end

    def self.for_method(error)
      receiver = error.receiver
      return missed if receiver.nil? && Answer.missed
      if Hash === receiver
        return "Use [\"#{error.name}\"] to read this key." if Answer === receiver && receiver.key?(error.name)
        return "Use [:#{error.name}] to read this key." if receiver.has_key?(error.name)
      end
      did_you_mean(Spelling.nearest(error.name, receiver.methods | (error.private_call? ? receiver.private_methods - UNWANTED : [])))
    end

    # The key that was looked up in vain last is most often where a nil came from.
    def self.missed
      answer, key = Answer.missed
      near = Spelling.nearest(key, answer.keys)
      return "The answer has no key #{key.inspect}; did you mean #{near.inspect}?" if near
      known = answer.keys.first(12).map(&:inspect).join(", ")
      "The answer has no key #{key.inspect}; it has #{known.empty? ? "no keys" : known}."
    end

    def self.for_type(error)
      message = error.message
      return LIST if message.include?("String into Integer") || message.include?("Symbol into Integer")
      return missed if message.include?("nil") && Answer.missed
      "Convert with to_s, or write \"\#{…}\"." if message.match?(/into String\z/)
    end

    def self.for_arguments(error)
      frame = error.backtrace&.first.to_s
      verb = frame[/[`'#](get|post|patch|delete)'\z/, 1]
      "#{verb}(path, **params), for example #{verb} \"/products\"." if verb
    end

    def self.names(error, locals)
      own = Object.private_instance_methods(false)
      constant = error.name.to_s.match?(/\A[A-Z]/)
      constant ? Object.constants : error.local_variables + own + (HIDDEN - UNWANTED) + %i[puts p print] + locals
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
