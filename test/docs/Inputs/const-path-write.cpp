PAGE
      }
    return false;
  }
};
