const sanitizeHtml = require('sanitize-html');

// Comments may carry what the library considers harmless, and videos from two hosts.
exports.cleanComment = function (html) {
  return sanitizeHtml(html, {
    allowedIframeHostnames: ['www.youtube.com', 'player.vimeo.com'],
    allowedAttributes: {
      a: ['href', 'name', 'target'],
      iframe: ['src', 'width', 'height', 'allowfullscreen']
    }
  });
};

// Newsletter bodies: pictures on top of the usual tags. Page titles are ours alone,
// the layout prints the only h1 and h2.
exports.cleanMail = function (html) {
  return sanitizeHtml(html, {
    allowedTags: sanitizeHtml.defaults.allowedTags.concat(['img']),
    allowedAttributes: { a: ['href'], img: ['src', 'alt', 'width', 'height'] }
  });
};

// Old shop posts mark former prices as struck out.
exports.cleanShopPost = function (html) {
  return sanitizeHtml(html, {
    transformTags: { strike: sanitizeHtml.simpleTransform('strike', { class: 'old-price' }) },
    allowedClasses: { strike: ['old-price'] }
  });
};
